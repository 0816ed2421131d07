import { resolveInto, Faults, type ResolvedPartition } from '../src/config.ts';
import type { Layer, Scalar, Setting } from './layer.ts';
import { configOf } from './load.ts';

/** One setting as a table shows it. */
export interface Shown {
  readonly path: string;
  readonly value: string;
  readonly origin: string;
  /** False when it follows from others or is the default. */
  readonly given: boolean;
}

/** Everything that counts, the defaults too. The layer has no faults. */
export function settingsOf(layer: Layer): Shown[] {
  const { defaultPartition, ...rest } = configOf(layer);
  const { max, partitions, defaults } = resolveInto(new Faults(), rest);
  const scalar = (name: Scalar, value: unknown, otherwise: string): Shown =>
    shown(name, value, layer.scalars.get(name), otherwise);
  return [
    scalar('max', max, 'the sum of the sizes'),
    scalar('defaultPartition', defaultPartition ?? '-', 'not set'),
    scalar('acquireTimeoutMillis', defaults.acquireTimeoutMillis, 'default'),
    scalar('maxWaiting', defaults.maxWaiting, 'default'),
    ...partitions.flatMap((partition) => rowsOf(partition, layer)),
  ];
}

function rowsOf(partition: ResolvedPartition, { partitions, scalars }: Layer): Shown[] {
  const { name, ...values } = partition;
  const own = partitions.get(name);
  const row = (option: keyof typeof values, inherited?: Setting, otherwise = 'default'): Shown =>
    shown(`partitions.${name}.${option}`, values[option], own?.get(option) ?? inherited, otherwise);
  return [
    row('size'),
    row('max', undefined, 'its size'),
    row('acquireTimeoutMillis', scalars.get('acquireTimeoutMillis')),
    row('maxWaiting', scalars.get('maxWaiting')),
  ];
}

const shown = (
  path: string,
  value: unknown,
  setting: Setting | undefined,
  otherwise: string,
): Shown => ({
  path,
  value: String(value),
  origin: setting?.origin ?? otherwise,
  given: setting !== undefined,
});
