import { isPlainObject, type Faults } from '../src/config.ts';
import { Layer, SCALARS, type Origin } from './layer.ts';

const PARTITION_OPTIONS = ['size', 'max', 'acquireTimeoutMillis', 'maxWaiting'];

/** Where a section stands: how faults name it, and where its members come from. */
export interface Place {
  /** Before the path of each member: ``, or `services.shop.` */
  readonly prefix: string;
  /** The origin of the member at this path. */
  originOf(path: string): Origin;
}

/**
 * Reads what one service, or all of them, say. Whether the values make sense is found out when all
 * places have been read; here only what cannot be a section at all is a fault.
 * @param also members that are somebody else's
 */
export function readSection(
  given: Record<string, unknown>,
  place: Place,
  faults: Faults,
  also: readonly string[] = [],
): Layer {
  const layer = new Layer();
  faults.unknownKeys(place.prefix.slice(0, -1), given, [...SCALARS, 'partitions', ...also]);
  for (const name of SCALARS) {
    const value = given[name];
    if (value === undefined) continue;
    const origin = place.originOf(place.prefix + name);
    layer.scalars.set(name, { value: numberOf(value), origin });
  }
  readPartitions(given['partitions'], layer, place, faults);
  return layer;
}

function readPartitions(given: unknown, layer: Layer, place: Place, faults: Faults): void {
  if (given === undefined) return;
  const path = `${place.prefix}partitions`;
  if (!isPlainObject(given)) {
    faults.add(path, 'expected an object of partitions by name', given);
    return;
  }
  for (const [name, options] of Object.entries(given)) {
    readPartition(name, options, `${path}.${name}`, layer, place, faults);
  }
}

function readPartition(
  name: string,
  given: unknown,
  path: string,
  layer: Layer,
  place: Place,
  faults: Faults,
): void {
  const origin = place.originOf(path);
  if (!isPlainObject(given)) {
    // A number is short for its size; anything else is found to be none.
    layer.partition(name, origin).set('size', { value: given, origin });
    return;
  }
  faults.unknownKeys(path, given, PARTITION_OPTIONS);
  const settings = layer.partition(name, origin);
  for (const option of PARTITION_OPTIONS) {
    const value = given[option];
    if (value === undefined) continue;
    settings.set(option, {
      value: numberOf(value),
      origin: place.originOf(`${path}.${option}`),
    });
  }
}

/** JSON has no word for it. */
const numberOf = (value: unknown): unknown => (value === 'Infinity' ? Infinity : value);
