import type { Lease } from './lease.ts';

/** The leases of one partition, oldest first. */
export class Holders {
  #oldest: Lease | undefined = undefined;
  #newest: Lease | undefined = undefined;

  add(lease: Lease): void {
    lease.before = this.#newest;
    if (this.#newest) this.#newest.after = lease;
    else this.#oldest = lease;
    this.#newest = lease;
  }

  remove(lease: Lease): void {
    const { before, after } = lease;
    if (before) before.after = after;
    else this.#oldest = after;
    if (after) after.before = before;
    else this.#newest = before;
    lease.before = undefined;
    lease.after = undefined;
  }

  *[Symbol.iterator](): Generator<Lease> {
    for (let lease = this.#oldest; lease; lease = lease.after) yield lease;
  }
}
