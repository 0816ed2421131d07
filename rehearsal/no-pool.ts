import type { NoPool } from './subject.ts';

const ends = ['end', 'close', 'disconnect'] as const;

export const onePartition = 'one partition of a pool';

/** Something else than a pool, which may have a connection all the same. */
export const noPool = (given: unknown): NoPool => ({
  isNot: nameOf(given),
  async end() {
    const methods = ends.map((name): unknown => Reflect.get(Object(given), name));
    const end = methods.find((method) => typeof method === 'function');
    await end?.call(given);
  },
});

function nameOf(given: unknown): string {
  if (given === null || given === undefined) return String(given);
  if (typeof given !== 'object') return `a ${typeof given}`;
  return `an object of the class ${given.constructor?.name ?? 'null'}`;
}
