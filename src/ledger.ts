/**
 * The arithmetic of permits: who may have one more, and who is served first. Integers only; no
 * promise, no timer, no queue. Only the partitioner calls `take` and `give`.
 *
 *     0                                                        max (M)
 *     ├── order: size 8 ──┼── search: size 8 ──┼ batch: 2 ┼─ 2 ─┤
 *     │ reserved          │ reserved           │ reserved │unreserved
 *     │ ████░░░░          │ ██░░░░░░           │ ██       │ █░  │
 *
 *     █ in use   ░ free. A reserved permit waits for its own partition. An unreserved one goes to
 *     any partition below its `max`.
 *
 * `committed` (C) counts every permit that is in use or kept: C = Σ max(usedᵢ, keepᵢ). As long as
 * C ≤ M, a partition below its `keep` can always be granted at once (I2).
 */

/** One partition's page in the ledger. */
export interface Account {
  /** Permits guaranteed to the partition. 0 ≤ size ≤ max. */
  readonly size: number;
  /** The partition's ceiling (I4): used ≤ max. */
  readonly max: number;
  /** Permits in use. 0 ≤ used ≤ max. */
  used: number;
}

/** How strong an account's claim on a freed permit is; lower is served first (I3). */
export type Rank = 0 | 1 | 2;

/** The part of `size` that is never given to others. Lending will subtract what is lent. */
export const keep = (account: Account): number => account.size;

export class Ledger {
  /** Capacity (M): permits in all. */
  max: number;
  /** Σ used; 0 ≤ used ≤ max (I1). */
  used = 0;
  /** C = Σ max(usedᵢ, keepᵢ). Above `max` only while permits lie with others when an account opens. */
  committed = 0;

  constructor(max: number) {
    this.max = max;
  }

  open(size: number, max: number): Account {
    const account = { size, max, used: 0 };
    this.committed += keep(account);
    return account;
  }

  /** The rule that grants a permit: room in the pool, below the ceiling, and own or unreserved. */
  canGrant(account: Account): boolean {
    return (
      this.used < this.max &&
      account.used < account.max &&
      (account.used < keep(account) || this.committed < this.max)
    );
  }

  /** Permits that `canGrant` would admit one after the other now. */
  available(account: Account): number {
    const own = Math.max(0, keep(account) - account.used);
    const unreserved = Math.max(0, this.max - this.committed);
    return Math.min(account.max - account.used, own + unreserved, this.max - this.used);
  }

  /**
   * 0: below what is kept for it; 1: below its `size`; 2: below its `max`; undefined: at its
   * ceiling. `canGrant` is the same for all accounts of one rank.
   */
  rank(account: Account): Rank | undefined {
    if (account.used < keep(account)) return 0;
    if (account.used < account.size) return 1;
    return account.used < account.max ? 2 : undefined;
  }

  /** True when a permit that this account gives back would still be kept for it. */
  keepsNext(account: Account): boolean {
    return account.used <= keep(account);
  }

  take(account: Account): void {
    if (!this.tryTake(account)) throw new Error('watertight: a permit was taken that was not free');
  }

  /** False, and nothing taken, when the rule does not grant a permit. */
  tryTake(account: Account): boolean {
    if (!this.canGrant(account)) return false;
    if (account.used >= keep(account)) this.committed++;
    account.used++;
    this.used++;
    return true;
  }

  give(account: Account): void {
    if (account.used === 0)
      throw new Error('watertight: a permit was given back that was not taken');
    account.used--;
    this.used--;
    if (account.used >= keep(account)) this.committed--;
  }
}
