import { Lease, type LeaseOwner } from './lease.ts';
import type { Waiter } from './waiter.ts';

/**
 * What one holder has, from grant to release. A partition has as many as were ever held at once and
 * uses them again: an object that is there already costs a grant half of what a new one does, which
 * the collector has to be told of (10 of the 30 ns of a grant and its release). What a caller gets
 * is a `Lease`, which is new each time.
 */
export class Holding {
  readonly partition: LeaseOwner;
  /** The number of the lease that holds it; 0 while nobody does. */
  number = 0;
  /** When the permit was granted, on the partition's clock. */
  grantedAt = 0;
  label: string | undefined = undefined;
  /** A driver's live connection. When handed over, it is here before `granted` is called. */
  connection: unknown = undefined;
  /** The next one that nobody holds. Owned by `Holders`. */
  nextFree: Holding | undefined = undefined;

  constructor(partition: LeaseOwner) {
    this.partition = partition;
  }
}

/** Who holds the permits of one partition. All in constant time, but for looking at them. */
export class Holders {
  readonly #partition: LeaseOwner;
  readonly #all: Holding[] = [];
  #firstFree: Holding | undefined = undefined;
  /** Leases given out so far: the number of the last one. */
  #count = 0;

  constructor(partition: LeaseOwner) {
    this.#partition = partition;
  }

  /** A lease for a caller who was granted a permit `now`. */
  add(waiter: Waiter | undefined, now: number, label: string | undefined): Lease {
    const holding = this.#firstFree ?? this.#more();
    this.#firstFree = holding.nextFree;
    holding.number = ++this.#count;
    holding.grantedAt = now;
    holding.label = label;
    return new Lease(holding, waiter);
  }

  /** Ends the lease that holds it. */
  remove(holding: Holding): void {
    holding.number = 0;
    holding.connection = undefined;
    holding.nextFree = this.#firstFree;
    this.#firstFree = holding;
  }

  oldestFirst(): Holding[] {
    return this.#all.filter(({ number }) => number > 0).toSorted((a, b) => a.number - b.number);
  }

  #more(): Holding {
    const holding = new Holding(this.#partition);
    this.#all.push(holding);
    return holding;
  }
}
