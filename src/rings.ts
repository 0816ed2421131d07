import type { Account, Rank } from './ledger.ts';

/** What stands in a ring: a partition, of which only the account and the rank matter here. */
interface Member {
  readonly account: Account;
  rank: Rank | undefined;
}

/**
 * Partitions that have waiters and room below their ceiling, by the rank of their claim. Within a
 * rank each takes its turn: who was served goes to the end.
 */
export class Rings<M extends Member> {
  readonly #rings: readonly Set<M>[] = [new Set(), new Set(), new Set()];

  #count = 0;

  /** True when nobody waits for a freed permit. */
  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Puts a member at the end of the ring of this rank; undefined takes it out. */
  enter(member: M, rank: Rank | undefined): void {
    if (rank === member.rank && this.#count <= 1) return;
    if (member.rank !== undefined) {
      this.#rings[member.rank]?.delete(member);
      this.#count--;
    }
    if (rank !== undefined) {
      this.#rings[rank]?.add(member);
      this.#count++;
    }
    member.rank = rank;
  }

  /** True when nobody but this member waits for a freed permit. */
  hasOnly(member: M): boolean {
    return this.#count === (member.rank === undefined ? 0 : 1);
  }

  /**
   * Claims first (I3). The first of a ring stands for all of it, since the grant rule is the same
   * for every account of one rank.
   */
  next(canGrant: (account: Account) => boolean): M | undefined {
    if (this.#count === 0) return undefined;
    for (const ring of this.#rings) {
      const first = ring.values().next().value;
      if (first && canGrant(first.account)) return first;
    }
    return undefined;
  }
}
