import { resolve } from 'node:path';
import { configOf, load } from '../config/load.ts';
import { readPartitionList } from '../config/partition-list.ts';
import {
  defaultTimeScale,
  leastTimeScale,
  type RehearsedPartitions,
  type Scenario,
} from '../rehearsal/index.ts';
import { seeds } from '../rehearsal/random.ts';
import { resolveConfig } from '../src/config.ts';
import { faultLine } from '../src/errors.ts';
import { driverNames, drivers, isDriverName, type DriverName } from '../rehearsal/drivers.ts';
import type { Arguments } from './options.ts';
import { chooseScenario } from './choose-scenario.ts';
import { UsageError } from './usage-error.ts';

/** `rehearse`, as it was asked for. */
export interface RehearseSettings {
  readonly driver: DriverName;
  /** Without one, on a server that is started for it. */
  readonly url: string | undefined;
  readonly json: string | undefined;
  readonly junit: string | undefined;
  readonly html: string | undefined;
  readonly timeScale: number;
  /** As the driver plays it. */
  readonly scenario: Scenario;
  /** What the scenario asks too much of itself; it is played nevertheless. */
  readonly warnings: readonly string[];
  /** Without one, a random seed. */
  readonly seed: number | undefined;
  readonly max: number;
  readonly partitions: RehearsedPartitions;
}

/** @throws UsageError with every value that cannot be read. Whether the sizes fit is for the pool to say. */
export function readSettings({ operands, values, flags }: Arguments): RehearseSettings {
  const faults: string[] = [];
  const { scenario, warnings } = chooseScenario(operands[0], faults);
  const given = values.get('partitions');
  const configured = readConfigured({ values, flags }, faults);
  const { max, partitions } = configured ?? {
    max: readMax(values.get('max'), faults) ?? scenario.max,
    partitions: given === undefined ? scenario.partitions : readPartitions(given, scenario, faults),
  };
  const timeScale = readTimeScale(values.get('time-scale'), faults);
  const seed = readSeed(values.get('seed'), faults);
  const withoutWalls = flags.has('without-walls');
  if (withoutWalls && given !== undefined) {
    faults.push('--without-walls and --partitions exclude each other');
  }
  const driver = readDriver(values.get('driver'), faults);
  const files = readFiles(values, faults);
  if (faults.length > 0) throw new UsageError(faults);
  return {
    driver,
    url: values.get('url'),
    ...files,
    timeScale,
    scenario: drivers[driver].adapt(scenario),
    warnings,
    seed,
    max,
    partitions: withoutWalls ? openToAll(partitions, max) : partitions,
  };
}

function readDriver(name: string = 'pg', faults: string[]): DriverName {
  if (isDriverName(name)) return name;
  faults.push(`--driver: expected ${driverNames.join(', ')}, got '${name}'`);
  return 'pg';
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
  if (loaded.faults.length > 0) return { max: 1, partitions: {} };
  const { defaultPartition: _, ...config } = configOf(loaded.layer);
  const { max, partitions } = resolveConfig(config);
  return {
    max,
    partitions: Object.fromEntries(partitions.map(({ name, ...options }) => [name, options])),
  };
}

/** Nothing guaranteed, nothing limited: the partitions are names only, the connections everybody's. */
function openToAll(partitions: RehearsedPartitions, max: number): RehearsedPartitions {
  return Object.fromEntries(
    Object.entries(partitions).map(([name, partition]) => [name, { ...partition, size: 0, max }]),
  );
}

const FILES = ['json', 'junit', 'html'] as const;

/** Only the JSON is for another program to read from a stream; `-` for the others would be a mistake. */
function readFiles(
  values: Arguments['values'],
  faults: string[],
): Pick<RehearseSettings, (typeof FILES)[number]> {
  const taken = new Map<string, string>();
  for (const option of FILES) {
    const file = values.get(option);
    if (file === undefined || (file === '-' && option === 'json')) continue;
    if (file === '-') faults.push(`--${option}: expected a file, got '-'; only --json can be -`);
    const other = taken.get(resolve(file));
    if (other) faults.push(`--${option} and --${other} name the same file`);
    taken.set(resolve(file), option);
  }
  return { json: values.get('json'), junit: values.get('junit'), html: values.get('html') };
}

function readMax(text: string | undefined, faults: string[]): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) {
    faults.push(`--max: expected a whole number from 1 up, got '${text}'`);
  }
  return Number(text);
}

function readSeed(text: string | undefined, faults: string[]): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,10}$/.test(text) || Number(text) >= seeds) {
    faults.push(`--seed: expected a whole number from 0 to ${seeds - 1}, got '${text}'`);
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

/** A size that is given here also says how far the partition may grow; the rest stays as in the scenario. */
function readPartitions(text: string, scenario: Scenario, faults: string[]): RehearsedPartitions {
  const listed = readPartitionList(text, (rule, got) => {
    faults.push(`--partitions: ${rule}${got === undefined ? '' : `, got '${got}'`}`);
  });
  return Object.fromEntries(
    [...listed].map(([name, sizes]) => {
      const { max: _, ...rest } = scenario.partitions[name] ?? { size: 0 };
      return [name, { ...rest, ...sizes }];
    }),
  );
}
