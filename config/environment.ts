import type { Faults } from '../src/config.ts';
import { nearest } from '../src/nearest.ts';
import { Layer, type Scalar } from './layer.ts';
import { readPartitionList } from './partition-list.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Which file and which service count. */
export const FILE_VARIABLE = 'WATERTIGHT_CONFIG';
export const SERVICE_VARIABLE = 'WATERTIGHT_SERVICE';
const PREFIX = 'WATERTIGHT_';
const PARTITIONS_VARIABLE = 'WATERTIGHT_PARTITIONS';

const SCALAR_VARIABLES: Readonly<Record<string, Scalar>> = {
  WATERTIGHT_MAX: 'max',
  WATERTIGHT_DEFAULT_PARTITION: 'defaultPartition',
  WATERTIGHT_ACQUIRE_TIMEOUT_MILLIS: 'acquireTimeoutMillis',
  WATERTIGHT_MAX_WAITING: 'maxWaiting',
};

const VARIABLES: readonly string[] = [
  FILE_VARIABLE,
  SERVICE_VARIABLE,
  PARTITIONS_VARIABLE,
  ...Object.keys(SCALAR_VARIABLES),
];

/** Others of the house, which are none of a service's. */
const OTHER_VARIABLES = ['WATERTIGHT_DEBUG'];

/** Set but empty is not set, as in a shell. */
export const read = (env: Environment, name: string): string | undefined =>
  env[name] === '' ? undefined : env[name];

/** What the environment says; it counts more than everything else. */
export function readEnvironment(env: Environment, faults: Faults): Layer {
  const layer = new Layer();
  for (const [variable, scalar] of Object.entries(SCALAR_VARIABLES)) {
    const text = read(env, variable);
    if (text === undefined) continue;
    const value = scalar === 'defaultPartition' ? text : numberOf(text);
    layer.scalars.set(scalar, { value, origin: variable });
  }
  const list = read(env, PARTITIONS_VARIABLE);
  if (list !== undefined) readPartitions(list, layer, faults);
  checkSpelling(env, faults);
  return layer;
}

function readPartitions(text: string, layer: Layer, faults: Faults): void {
  const origin = PARTITIONS_VARIABLE;
  const listed = readPartitionList(text, (rule, ...got) => faults.add(origin, rule, ...got));
  for (const [name, options] of listed) {
    const settings = layer.partition(name, origin);
    for (const [option, value] of Object.entries(options)) settings.set(option, { value, origin });
  }
}

/** A variable that nobody reads would be a retuning that does not happen. */
function checkSpelling(env: Environment, faults: Faults): void {
  for (const name of Object.keys(env)) {
    const meant = meantBy(name);
    if (meant === undefined || meant === name) continue;
    faults.add(name, `unknown variable; did you mean '${meant}'?`);
  }
}

/** Those that are set and, also by a misspelt name, say something about a service. */
export const variablesOf = (env: Environment): string[] =>
  Object.keys(env).filter((name) => read(env, name) !== undefined && meantBy(name) !== undefined);

/** What all of them begin with says nothing about which one is meant. */
function meantBy(name: string): string | undefined {
  if (!name.startsWith(PREFIX) || OTHER_VARIABLES.includes(name)) return undefined;
  const meant = nearest(
    name.slice(PREFIX.length),
    VARIABLES.map((variable) => variable.slice(PREFIX.length)),
  );
  return meant === undefined ? undefined : PREFIX + meant;
}

/** What is no number stays what it is, and is told to be none. */
const numberOf = (text: string): unknown =>
  /^\s*(\d+(\.\d+)?|Infinity)\s*$/.test(text) ? Number(text) : text;
