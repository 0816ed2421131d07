import { resolve } from 'node:path';
import { configOf, load } from '../config/load.ts';
import { readPartitionList } from '../config/partition-list.ts';
import {
  defaultTimeScale,
  leastTimeScale,
  monthEndMax,
  monthEndPartitions,
  type RehearsedPartitions,
} from '../rehearsal/index.ts';
import { resolveConfig } from '../src/config.ts';
import { faultLine } from '../src/errors.ts';
import type { Arguments } from './options.ts';
import { UsageError } from './usage-error.ts';

/** `rehearse`, as it was asked for. */
export interface RehearseSettings {
  /** Without one, on an embedded server. */
  readonly url: string | undefined;
  readonly json: string | undefined;
  readonly html: string | undefined;
  readonly timeScale: number;
  readonly max: number;
  readonly partitions: RehearsedPartitions;
}

const drivers = ['pg'];

/** @throws UsageError with every value that cannot be read. Whether the sizes fit is for the pool to say. */
export function readSettings({ values, flags }: Arguments): RehearseSettings {
  const faults: string[] = [];
  const given = values.get('partitions');
  const configured = readConfigured({ values, flags }, faults);
  const { max, partitions } = configured ?? {
    max: readMax(values.get('max'), faults),
    partitions: given === undefined ? monthEndPartitions : readPartitions(given, faults),
  };
  const timeScale = readTimeScale(values.get('time-scale'), faults);
  const withoutWalls = flags.has('without-walls');
  if (withoutWalls && given !== undefined) {
    faults.push('--without-walls and --partitions exclude each other');
  }
  const html = readHtml(values, faults);
  const driver = values.get('driver') ?? 'pg';
  if (!drivers.includes(driver)) {
    faults.push(`--driver: expected ${drivers.join(' or ')}, got '${driver}'`);
  }
  if (faults.length > 0) throw new UsageError(faults);
  return {
    url: values.get('url'),
    json: values.get('json'),
    html,
    timeScale,
    max,
    partitions: withoutWalls ? openToAll(partitions, max) : partitions,
  };
}

/** The pool of a service as `watertight config` shows it; undefined when it was not asked for. */
function readConfigured(
  { values, flags }: Pick<Arguments, 'values' | 'flags'>,
  faults: string[],
): Pick<RehearseSettings, 'max' | 'partitions'> | undefined {
  const [file, service] = [values.get('file'), values.get('service')];
  if (!flags.has('config') && file === undefined && service === undefined) return undefined;
  for (const option of ['max', 'partitions'] as const) {
    if (values.has(option)) faults.push(`--${option} and --config exclude each other`);
  }
  const loaded = load({}, { file, service });
  faults.push(...loaded.faults.map(faultLine));
  if (loaded.faults.length > 0) return { max: monthEndMax, partitions: {} };
  const { defaultPartition: _, ...config } = configOf(loaded.layer);
  const { max, partitions } = resolveConfig(config);
  const rehearsed = partitions.map(({ name, size, max: own, acquireTimeoutMillis }) => [
    name,
    { size, max: own, acquireTimeoutMillis },
  ]);
  return { max, partitions: Object.fromEntries(rehearsed) as RehearsedPartitions };
}

/** Nothing guaranteed, nothing limited: the partitions are names only, the connections everybody's. */
function openToAll(partitions: RehearsedPartitions, max: number): RehearsedPartitions {
  return Object.fromEntries(
    Object.entries(partitions).map(([name, partition]) => [name, { ...partition, size: 0, max }]),
  );
}

/** A page for people is no stream for programs, so `-` would only be a mistake. */
function readHtml(values: Arguments['values'], faults: string[]): string | undefined {
  const [html, json] = [values.get('html'), values.get('json')];
  if (html === '-') faults.push("--html: expected a file, got '-'; only --json can be -");
  else if (html !== undefined && json !== undefined && resolve(html) === resolve(json)) {
    faults.push('--html and --json name the same file');
  }
  return html;
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

function readPartitions(text: string, faults: string[]): RehearsedPartitions {
  const listed = readPartitionList(text, (rule, got) => {
    faults.push(`--partitions: ${rule}${got === undefined ? '' : `, got '${got}'`}`);
  });
  return Object.fromEntries(
    [...listed].map(([name, sizes]) => [name, { ...monthEndPartitions[name], ...sizes }]),
  );
}
