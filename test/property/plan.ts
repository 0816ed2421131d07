import fc from 'fast-check';

/** One partition as the test wants it: valid for any pool it is put in. */
export interface PartitionPlan {
  readonly size: number;
  readonly max: number;
  readonly acquireTimeoutMillis: number;
  readonly maxWaiting: number;
}

/** A random configuration. */
export interface Plan {
  /** Given as `max`; undefined leaves it to the sum of the sizes. */
  readonly max: number | undefined;
  readonly total: number;
  /** Milliseconds by which timers fire too early. */
  readonly early: number;
  readonly partitions: readonly PartitionPlan[];
}

const shapes = fc.record({
  size: fc.nat(3),
  above: fc.oneof(fc.constant(0), fc.nat(4)),
  acquireTimeoutMillis: fc.constantFrom(0, 1, 5, 10, 50, 2000),
  maxWaiting: fc.constantFrom(0, 1, 2, 5, 20, 100),
});

export const plans: fc.Arbitrary<Plan> = fc
  .record({
    shapes: fc.array(shapes, { minLength: 1, maxLength: 4 }),
    unreserved: fc.option(fc.nat(4), { nil: undefined }),
    early: fc.constantFrom(0, 0.5),
  })
  .map(({ shapes: all, unreserved, early }) => {
    const reserved = all.reduce((sum, { size }) => sum + size, 0);
    // A pool has at least one permit, and so has each partition as its ceiling.
    const lacks = reserved + (unreserved ?? 0) === 0 ? 1 : 0;
    const total = reserved + (unreserved ?? 0) + lacks;
    const partitions = all.map(({ size, above, ...rest }, index) => {
      const own = index === 0 && unreserved === undefined ? size + lacks : size;
      return { size: own, max: Math.min(total, Math.max(1, own + above)), ...rest };
    });
    return { max: unreserved === undefined ? undefined : total, total, early, partitions };
  });

/** Each operation is the seed of the dice that decide what it does. */
export const operations = (longest: number): fc.Arbitrary<number[]> =>
  fc.noBias(fc.array(fc.nat(), { minLength: 1, maxLength: longest, size: 'max' }));

/** A small generator (mulberry32): the same seed rolls the same numbers everywhere. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** An integer from 0 below `sides`. */
  roll(sides: number): number {
    return this.next() % sides;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.roll(list.length)];
  }
}
