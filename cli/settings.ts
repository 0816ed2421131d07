import { resolve } from 'node:path';
import { variablesOf, type Environment } from '../config/environment.ts';
import { faultLines } from '../config/fault-lines.ts';
import { configOf, load } from '../config/load.ts';
import { readPartitionList } from '../config/partition-list.ts';
import {
  defaultTimeScale,
  isRehearsalError,
  leastTimeScale,
  type RehearsedPartitions,
  type Scenario,
} from '../rehearsal/index.ts';
import { seeds } from '../rehearsal/random.ts';
import { resolveConfig } from '../src/config.ts';
import { nearest } from '../src/nearest.ts';
import { driverNames, drivers, isDriverName, type DriverName } from '../rehearsal/drivers.ts';
import type { Arguments } from './options.ts';
import { chooseScenario } from './choose-scenario.ts';
import type { Complaints } from './usage-error.ts';

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

/**
 * What is wrong goes to the complaints, and something harmless comes back. Whether the sizes fit is
 * for the pool to say.
 */
export function readSettings(
  { operands, values, flags }: Arguments,
  complaints: Complaints,
  env: Environment = process.env,
): RehearseSettings {
  const faults = complaints.commandLine;
  const { warnings, ...pool } = readPool({ operands, values, flags }, complaints);
  const timeScale = readTimeScale(values.get('time-scale'), faults);
  const seed = readSeed(values.get('seed'), faults);
  const named = readDriver(values.get('driver'), faults);
  const driver = named ?? 'pg';
  const ignored = asksForConfig({ values, flags }) ? [] : variablesOf(env);
  return {
    driver,
    url: named && readUrl(values.get('url'), named, faults),
    ...readFiles(values, faults),
    timeScale,
    warnings: [
      ...warnings,
      ...ignored.map((name) => `${name} is set, and only used with --config`),
    ],
    seed,
    ...pool,
    scenario: adapted(pool.scenario, driver, faults),
  };
}

type Words = Pick<Arguments, 'values' | 'flags'>;

/** When a part of it is at fault, all of it is the default: nothing else that is wrong follows. */
function readPool(
  { operands, values, flags }: Words & Pick<Arguments, 'operands'>,
  complaints: Complaints,
): Pick<RehearseSettings, 'scenario' | 'warnings' | 'max' | 'partitions'> {
  const faults = complaints.commandLine;
  const before = complaints.count;
  const { scenario, warnings } = chooseScenario(operands[0], complaints);
  const given = values.get('partitions');
  const { max, partitions } = readConfigured({ values, flags }, complaints) ?? {
    max: readMax(values.get('max'), faults) ?? scenario.max,
    partitions: given === undefined ? scenario.partitions : readPartitions(given, scenario, faults),
  };
  const withoutWalls = flags.has('without-walls');
  if (withoutWalls && given !== undefined) {
    faults.push('--without-walls and --partitions exclude each other');
  }
  if (complaints.count > before) {
    return { scenario, warnings, max: scenario.max, partitions: scenario.partitions };
  }
  return {
    scenario,
    warnings,
    max,
    partitions: withoutWalls ? openToAll(partitions, max) : partitions,
  };
}

function readDriver(name: string = 'pg', faults: string[]): DriverName | undefined {
  if (isDriverName(name)) return name;
  const near = nearest(name, driverNames);
  const hint = near ? `; did you mean ${near}?` : '';
  faults.push(`--driver: expected ${driverNames.join(', ')}, got '${name}'${hint}`);
  return undefined;
}

function readUrl(
  url: string | undefined,
  driver: DriverName,
  faults: string[],
): string | undefined {
  if (url === undefined) return undefined;
  return tried(() => drivers[driver].checkUrl(url), faults, '--url: ') ? url : undefined;
}

function adapted(scenario: Scenario, driver: DriverName, faults: string[]): Scenario {
  let played = scenario;
  tried(() => (played = drivers[driver].adapt(scenario)), faults);
  return played;
}

/** Whether it threw no `ERR_REHEARSAL_OPTION`. */
function tried(act: () => unknown, faults: string[], option = ''): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if (!isRehearsalError(error)) throw error;
    faults.push(option + error.message);
    return false;
  }
}

const asksForConfig = ({ values, flags }: Words): boolean =>
  flags.has('config') || values.has('file') || values.has('service');

/** The pool of a service as `watertight config` shows it; undefined when it was not asked for. */
function readConfigured(
  { values, flags }: Words,
  complaints: Complaints,
): Pick<RehearseSettings, 'max' | 'partitions'> | undefined {
  if (!asksForConfig({ values, flags })) return undefined;
  for (const option of ['max', 'partitions'] as const) {
    if (values.has(option))
      complaints.commandLine.push(`--${option} and --config exclude each other`);
  }
  const loaded = load({}, { file: values.get('file'), service: values.get('service') });
  complaints.files.push(...faultLines(loaded.faults));
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
  if (scale >= leastTimeScale && scale <= 1) return scale;
  faults.push(`--time-scale: expected a number from ${leastTimeScale} to 1, got '${text}'`);
  return defaultTimeScale;
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
