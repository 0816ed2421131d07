/** Checks a scenario that comes from outside, and fills in the defaults. */
import { DEFAULT_ACQUIRE_TIMEOUT_MILLIS, isPlainObject, resolveInto } from '../src/config.ts';
import type { Faults } from '../src/config.ts';
import { nearest } from '../src/nearest.ts';
import { Fields, type Given } from './fields.ts';
import { readWorkload } from './read-workload.ts';
import { defaultLimits, defaultSharedAcquireTimeoutMillis, disturbs } from './scenario.ts';
import type { Limits, Phase, RehearsedPartitions, Scenario, Workload } from './scenario.ts';

const members = [
  '$schema',
  'name',
  'description',
  'disturbance',
  'max',
  'partitions',
  'phases',
  'workloads',
  'sharedAcquireTimeoutMillis',
  'limits',
];

/** What comes back is a scenario only when there are no faults. */
export function readScenario(root: Given, faults: Faults): Scenario {
  const fields = new Fields(faults);
  faults.unknownKeys('', root, members);
  const partitions = readPartitions(root, faults);
  const names = Object.keys(partitions);
  const workloads = fields
    .list('workloads', root['workloads'])
    .map((one, index) => readWorkload(one, `workloads.${index}`, names, fields));
  const phases = fields
    .list('phases', root['phases'])
    .map((one, index) => readPhase(one, `phases.${index}`, names, fields));
  checkTogether(names, workloads, phases, faults);
  checkAmount(workloads, phases, faults);
  return {
    name: readName(root['name'], faults),
    description: fields.text('description', root['description']),
    disturbance: readDisturbance(root['disturbance'], workloads, fields),
    max: root['max'] as number,
    partitions,
    phases,
    workloads,
    sharedAcquireTimeoutMillis: fields.above0(
      'sharedAcquireTimeoutMillis',
      root['sharedAcquireTimeoutMillis'] ?? defaultSharedAcquireTimeoutMillis,
    ),
    limits: {
      ...defaultLimits,
      ...fields.limits('limits', root['limits'], Object.keys(defaultLimits) as (keyof Limits)[]),
    },
  };
}

function readName(given: unknown, faults: Faults): string {
  if (typeof given === 'string' && /^[\w-]{1,100}$/.test(given)) return given;
  faults.add('name', 'expected letters, digits, - and _', given);
  return '';
}

function readDisturbance(given: unknown, workloads: readonly Workload[], fields: Fields): string {
  if (given !== undefined) return fields.text('disturbance', given);
  const names = workloads.filter(disturbs).map(({ partition }) => partition);
  return names.join(' and ');
}

/** By the same check as in a service. */
function readPartitions(root: Given, faults: Faults): RehearsedPartitions {
  const { max, partitions: given } = root;
  if (max === undefined) faults.integer('max', max, 1);
  resolveInto(faults, { partitions: given, ...(max === undefined ? {} : { max }) });
  if (!isPlainObject(given)) return {};
  const read = Object.entries(given).map(([name, options]) => [
    name,
    {
      acquireTimeoutMillis: DEFAULT_ACQUIRE_TIMEOUT_MILLIS,
      ...(isPlainObject(options) ? options : { size: options }),
    },
  ]);
  return Object.fromEntries(read) as RehearsedPartitions;
}

function readPhase(given: unknown, path: string, names: readonly string[], fields: Fields): Phase {
  const phase = fields.object(path, given, ['name', 'durationMillis', 'partitions', 'holdMillis']);
  const partitions = fields
    .list(`${path}.partitions`, phase['partitions'])
    .map((name, index) => fields.oneOf(`${path}.partitions.${index}`, name, names));
  return {
    name: fields.text(`${path}.name`, phase['name']),
    durationMillis: fields.above0(`${path}.durationMillis`, phase['durationMillis']),
    partitions,
    ...(phase['holdMillis'] !== undefined && {
      holdMillis: readHolds(phase['holdMillis'], `${path}.holdMillis`, partitions, fields),
    }),
  };
}

function readHolds(
  given: unknown,
  path: string,
  partitions: readonly string[],
  fields: Fields,
): Record<string, number> {
  const holds = Object.entries(fields.object(path, given, partitions));
  return Object.fromEntries(
    holds.map(([name, millis]) => [name, fields.above0(`${path}.${name}`, millis)]),
  );
}

/** One process is to send them all, and remembers how each of them fared. */
const mostRequests = 1_000_000;
const mostWorkers = 10_000;

function checkAmount(
  workloads: readonly Workload[],
  phases: readonly Phase[],
  faults: Faults,
): void {
  for (const [index, workload] of workloads.entries()) {
    if (workload.kind === 'workers') {
      const { workers } = workload;
      if (workers <= mostWorkers) continue;
      faults.add(`workloads.${index}.workers`, `expected at most ${mostWorkers}`, workers);
    } else {
      const { ratePerSecond, partition } = workload;
      const millis = phases
        .filter(({ partitions }) => partitions.includes(partition))
        .reduce((sum, { durationMillis }) => sum + durationMillis, 0);
      const requests = (ratePerSecond * millis) / 1_000;
      if (!(requests > mostRequests)) continue;
      faults.add(
        `workloads.${index}.ratePerSecond`,
        `${Math.round(requests).toLocaleString('en-US')} requests in ${millis / 1_000} s; ` +
          `at most ${mostRequests.toLocaleString('en-US')} can be played`,
        ratePerSecond,
      );
    }
  }
}

/** What is right by itself and wrong with the rest. A misspelt name counts as the one that is meant. */
function checkTogether(
  names: readonly string[],
  workloads: readonly Workload[],
  phases: readonly Phase[],
  faults: Faults,
): void {
  const played = phases.flatMap((phase) => phase.partitions.map((name) => meant(name, names)));
  const loaded = workloads.map(({ partition }) => meant(partition, names));
  for (const [index, { partition }] of workloads.entries()) {
    if (!names.includes(partition)) continue;
    const first = workloads.findIndex((each) => each.partition === partition);
    if (first < index) {
      faults.add(`workloads.${index}.partition`, `expected one workload for each partition`);
    } else if (played.length > 0 && !played.includes(partition)) {
      faults.add(`workloads.${index}.partition`, `no phase has '${partition}'`);
    }
  }
  const isClear = loaded.length > 0 && !loaded.includes(undefined);
  for (const name of isClear ? names : []) {
    if (!loaded.includes(name)) faults.add(`partitions.${name}`, 'there is no workload for it');
  }
  checkRoles(workloads, faults);
}

function meant(name: unknown, names: readonly string[]): string | undefined {
  if (typeof name !== 'string') return undefined;
  return names.includes(name) ? name : nearest(name, names);
}

/** One goes wrong, another is protected from it. A workload that is at fault may be the one. */
function checkRoles(workloads: readonly Workload[], faults: Faults): void {
  const isOfWorkload = /^workloads|^partitions\.[^.]+$/;
  if (faults.list.some(({ path }) => isOfWorkload.test(path))) return;
  if (!workloads.some(disturbs)) {
    faults.add(
      'workloads',
      'nothing disturbs: expected workers, or arrivals with "disturbs": true',
    );
  }
  if (workloads.every(disturbs)) {
    faults.add('workloads', 'nobody is protected: expected arrivals that do not disturb');
  }
}
