import { request } from '../fakes/receiver.ts';
import fc from 'fast-check';
import { Partitioner } from '../../src/partitioner.ts';
import type { Lease } from '../../src/lease.ts';
import type { Partition } from '../../src/partition.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { emptyTally, type Tally } from './invariants.ts';
import { Dice } from './plan.ts';
import { Violation } from './invariants.ts';

const LONGEST_HOLD = 100;

/**
 * A partition is added while others use its permits. Every lease ends within a bound, and its
 * holders ask again at once. No claim may wait longer than the largest bound that was left.
 */
class Recovery {
  readonly tally: Tally = emptyTally();
  readonly #clock = new FakeClock();
  readonly #dice: Dice;
  readonly #leases = new Map<Lease, number>();
  readonly #partitioner: Partitioner;
  readonly #batch: Partition;

  constructor(seed: number) {
    this.#dice = new Dice(seed);
    const max = 1 + this.#dice.roll(8);
    const size = this.#dice.roll(max);
    const batch = { size, max, maxWaiting: 1000, acquireTimeoutMillis: 30_000 };
    this.#partitioner = new Partitioner({ max, partitions: { batch } }, { clock: this.#clock });
    this.#batch = this.#partitioner.partition('batch');
  }

  run(): void {
    const { max } = this.#partitioner;
    for (let n = 0; n < max + this.#dice.roll(10); n++) this.#hold(this.#batch);
    this.#pass(this.#dice.roll(LONGEST_HOLD));
    const room = max - this.#batch.size;
    const orders = this.#partitioner.add('orders', { size: 1 + this.#dice.roll(room), max });
    for (let n = 0; n < orders.size; n++) this.#claim(orders);
    this.#pass(2 * LONGEST_HOLD);
  }

  #claim(partition: Partition): void {
    const largest = Math.max(...this.#leases.values());
    let served = false;
    request(partition, undefined, {
      granted: (lease) => {
        served = lease.deliver();
        this.#see(this.#clock.now() <= largest, `served at ${this.#clock.now()}, not ${largest}`);
        this.#leases.set(lease, Infinity);
      },
      rejected: (error) => this.#see(false, error.message),
    });
    this.#clock.setTimer(() => this.#see(served, `not served by ${largest}`), largest + 1);
  }

  #hold(partition: Partition): void {
    request(partition, undefined, {
      granted: (lease) => {
        lease.deliver();
        this.#leases.set(lease, this.#clock.now() + 1 + this.#dice.roll(LONGEST_HOLD));
      },
      rejected: (error) => this.#see(false, error.message),
    });
  }

  /** Ends each lease at its bound; whoever had it wants another one. */
  #pass(millis: number): void {
    for (let passed = 0; passed < millis; passed++) {
      this.#clock.advance(1);
      for (const [lease, end] of this.#leases) {
        if (end > this.#clock.now()) continue;
        this.#leases.delete(lease);
        this.#hold(this.#batch);
        lease.release();
      }
    }
  }

  #see(holds: boolean, what: string): void {
    this.tally.I7++;
    if (!holds) throw new Violation('I7', what);
  }
}

/** The seeds of `runs` recoveries; throws what is wrong with the first that is. */
export function checkClaims(runs: number, seed?: number): number {
  let checks = 0;
  const property = fc.property(fc.noBias(fc.nat()), (one) => {
    const recovery = new Recovery(one);
    recovery.run();
    checks += recovery.tally.I7;
  });
  fc.assert(property, { numRuns: runs, ...(seed === undefined ? {} : { seed }) });
  return checks;
}
