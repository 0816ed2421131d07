import { isPlainObject, resolveConfig } from '../../src/config.ts';
import { faultLine, isConfigError } from '../../src/errors.ts';
import { nearest } from '../../src/nearest.ts';
import { describeError } from '../errors.ts';
import { driverNames, drivers, isDriverName } from '../drivers.ts';
import { optionError } from '../option-error.ts';
import { leastTimeScale } from '../rehearse.ts';
import type { Scenario } from '../scenario.ts';
import type { RehearseOptions } from './options.ts';

type Rule = readonly [expected: string, holds: (value: unknown) => boolean];

const rules: Readonly<Record<keyof RehearseOptions, Rule>> = {
  driver: [driverNames.join(', '), isDriverName],
  url: ['a string', (value: unknown) => typeof value === 'string'],
  createPool: ['a function that makes a pool', isFunction],
  partitions: ['an object with a size for each name', isPlainObject],
  createSharedPool: ['a function that makes a pool', isFunction],
  max: [
    'a whole number from 1 up',
    (value: unknown) => Number.isInteger(value) && Number(value) >= 1,
  ],
  timeScale: [
    `a number from ${leastTimeScale} to 1`,
    (value: unknown) => typeof value === 'number' && value >= leastTimeScale && value <= 1,
  ],
  seed: [
    'a whole number from 0 to 2^32 - 1',
    (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) < 2 ** 32,
  ],
  signal: ['an AbortSignal', (value: unknown) => value instanceof AbortSignal],
  onProgress: ['a function', isFunction],
};

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

/** @throws `ERR_REHEARSAL_OPTION` with every fault that shows without a pool. */
export function checkOptions(scenario: Scenario, options: RehearseOptions): void {
  const faults: string[] = [];
  if (!isScenario(scenario)) faults.push('scenario: expected a scenario, such as monthEnd');
  if (!isPlainObject(options)) throw optionError([...faults, 'options: expected an object']);
  for (const [name, value] of Object.entries(options)) faults.push(...faultsOf(name, value));
  const { driver = 'pg', url, createPool, partitions } = options;
  if (createPool !== undefined && partitions !== undefined) {
    faults.push('createPool and partitions exclude each other');
  } else if (createPool === undefined && partitions === undefined) {
    faults.push('createPool: expected a function that makes your pool (or give partitions)');
  }
  if (isDriverName(driver) && typeof url === 'string') {
    faults.push(...faultsIn('url', () => drivers[driver].checkUrl(url)));
  }
  if (isDriverName(driver) && isScenario(scenario)) {
    faults.push(...faultsIn('scenario', () => drivers[driver].adapt(scenario)));
  }
  if (isPlainObject(partitions) && isScenario(scenario))
    faults.push(...partitionFaults(scenario, options));
  if (faults.length > 0) throw optionError(faults);
}

function isScenario(given: unknown): given is Scenario {
  return (
    isPlainObject(given) && Array.isArray(given['phases']) && Array.isArray(given['workloads'])
  );
}

function faultsOf(name: string, value: unknown): string[] {
  if (!isOption(name)) {
    const near = nearest(name, Object.keys(rules));
    return [`${name}: unknown option${near === undefined ? '' : `; did you mean ${near}?`}`];
  }
  const [expected, holds] = rules[name];
  if (value === undefined || holds(value)) return [];
  // A URL of the wrong type may still have a password in it.
  const isTold = typeof value === 'number' || typeof value === 'boolean' || value === null;
  return [`${name}: expected ${expected}, got ${isTold ? String(value) : typeof value}`];
}

const isOption = (name: string): name is keyof RehearseOptions => Object.hasOwn(rules, name);

function partitionFaults({ name, workloads }: Scenario, options: RehearseOptions): string[] {
  const { partitions = {}, max } = options;
  const missing = workloads.flatMap(({ partition }) =>
    Object.hasOwn(partitions, partition)
      ? []
      : [`partitions: expected '${partition}' among them, which ${name} plays`],
  );
  try {
    resolveConfig({ max: rules.max[1](max) ? max : undefined, partitions });
    return missing;
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return [...missing, ...error.faults.map(faultLine)];
  }
}

function faultsIn(option: string, check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [`${option}: ${describeError(error)}`];
  }
}
