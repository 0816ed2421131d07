import type { Lease } from './lease.ts';

/** Released leases that may lie among the held ones before somebody tidies up. */
const TOLERATED = 32;

/**
 * The leases of one partition, newest on top. A lease released from below the top stays where it
 * is until it comes to the top or too many have gathered: one link a lease, and one write for each
 * grant, half the price of a list that anybody can leave (10 of the 40 ns of an acquire and its
 * release). Amortised O(1).
 */
export class Holders {
  #newest: Lease | undefined = undefined;
  /** Released leases that are still linked. */
  #gone = 0;

  add(lease: Lease): void {
    lease.before = this.#newest;
    this.#newest = lease;
  }

  /** @param held how many leases are held besides; the lease itself is released already */
  remove(lease: Lease, held: number): void {
    this.#gone++;
    if (lease === this.#newest) this.#pop();
    else if (this.#gone > TOLERATED && this.#gone > held) this.#tidy();
  }

  /** Oldest first. */
  oldestFirst(): Lease[] {
    const held: Lease[] = [];
    for (let lease = this.#newest; lease; lease = lease.before) {
      if (!lease.released) held.push(lease);
    }
    return held.toReversed();
  }

  #pop(): void {
    let top = this.#newest;
    while (top?.released) {
      const { before } = top;
      top.before = undefined;
      top = before;
      this.#gone--;
    }
    this.#newest = top;
  }

  #tidy(): void {
    const held = this.oldestFirst();
    this.#newest = undefined;
    this.#gone = 0;
    for (const lease of held) this.add(lease);
  }
}
