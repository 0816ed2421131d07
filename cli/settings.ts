import {
  defaultTimeScale,
  leastTimeScale,
  monthEndMax,
  monthEndPartitions,
  type RehearsedPartition,
  type RehearsedPartitions,
} from '../rehearsal/index.ts';
import type { Arguments } from './options.ts';
import { UsageError } from './usage-error.ts';

/** `rehearse`, as it was asked for. */
export interface RehearseSettings {
  /** Without one, on an embedded server. */
  readonly url: string | undefined;
  readonly json: string | undefined;
  readonly timeScale: number;
  readonly max: number;
  readonly partitions: RehearsedPartitions;
}

const drivers = ['pg'];

/** @throws UsageError with every value that cannot be read. Whether the sizes fit is for the pool to say. */
export function readSettings({ values, flags }: Arguments): RehearseSettings {
  const faults: string[] = [];
  const max = readMax(values.get('max'), faults);
  const timeScale = readTimeScale(values.get('time-scale'), faults);
  const given = values.get('partitions');
  const partitions = given === undefined ? monthEndPartitions : readPartitions(given, faults);
  const withoutWalls = flags.has('without-walls');
  if (withoutWalls && given !== undefined) {
    faults.push('--without-walls and --partitions exclude each other');
  }
  const driver = values.get('driver') ?? 'pg';
  if (!drivers.includes(driver)) {
    faults.push(`--driver: expected ${drivers.join(' or ')}, got '${driver}'`);
  }
  if (faults.length > 0) throw new UsageError(faults);
  return {
    url: values.get('url'),
    json: values.get('json'),
    timeScale,
    max,
    partitions: withoutWalls ? openToAll(partitions, max) : partitions,
  };
}

/** Nothing guaranteed, nothing limited: the partitions are names only, the connections everybody's. */
function openToAll(partitions: RehearsedPartitions, max: number): RehearsedPartitions {
  return Object.fromEntries(
    Object.entries(partitions).map(([name, partition]) => [name, { ...partition, size: 0, max }]),
  );
}

function readMax(text: string | undefined, faults: string[]): number {
  if (text === undefined) return monthEndMax;
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) {
    faults.push(`--max: expected a whole number from 1 up, got '${text}'`);
  }
  return Number(text);
}

function readTimeScale(text: string | undefined, faults: string[]): number {
  if (text === undefined) return defaultTimeScale;
  const scale = /^[\d.]+(e-?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
  if (!(scale >= leastTimeScale && scale <= 1)) {
    faults.push(`--time-scale: expected a number from ${leastTimeScale} to 1, got '${text}'`);
  }
  return scale;
}

/** `order=8,search=8,batch=4`, or `batch=4..20` for a partition that may grow beyond its size. */
function readPartitions(text: string, faults: string[]): RehearsedPartitions {
  const partitions = new Map<string, RehearsedPartition>();
  for (const part of text.split(',')) {
    const { name, size, max } =
      /^\s*(?<name>[^=\s]+)\s*=\s*(?<size>\d+)(\.\.(?<max>\d+))?\s*$/.exec(part)?.groups ?? {};
    if (name === undefined || size === undefined) {
      faults.push(`--partitions: expected name=size or name=size..max, got '${part.trim()}'`);
    } else if (partitions.has(name)) {
      faults.push(`--partitions: '${name}' is given twice`);
    } else {
      const ceiling = max === undefined ? {} : { max: Number(max) };
      partitions.set(name, { ...monthEndPartitions[name], size: Number(size), ...ceiling });
    }
  }
  return Object.fromEntries(partitions);
}
