import type { Clock } from './clock.ts';
import { LeaseReleasedError } from './errors.ts';
import type { Holders, Holding } from './holders.ts';
import type { Account, Ledger, Rank } from './ledger.ts';
import type { Lease, LeaseOwner } from './lease.ts';
import type { Line } from './line.ts';
import { Rings } from './rings.ts';
import type { Recorder } from './stats.ts';
import type { Waiter } from './waiter.ts';

/** What a partition is to the permits: an account, a line of waiters, and those who hold. */
export interface Claimant extends LeaseOwner {
  readonly account: Account;
  readonly line: Line;
  readonly holders: Holders;
  readonly recorder: Recorder;
  /** The ring in which the claimant stands; undefined when in none. */
  rank: Rank | undefined;
  leaveLine(waiter: Waiter): void;
  /** Tells a waiter whose deadline has passed; false when it has not. */
  expireIfDue(waiter: Waiter, now: number): boolean;
  /** A permit came back. */
  checkIdle(): void;
}

/** A permit for a waiter that is still to be told. */
interface Grant {
  readonly waiter: Waiter;
  readonly lease: Lease;
}

/**
 * The partitioner's inner half and the only place where a permit changes hands: each is granted
 * here, by the ledger's rule, and comes back through `release` or goes on through `handOver`.
 */
export class Permits {
  readonly ledger: Ledger;
  readonly #clock: Clock;
  readonly #rings: Rings<Claimant> = new Rings();
  /** Grants whose receivers are still to be told, so that a grant within a grant does not recurse. */
  readonly #untold: Grant[] = [];
  /** How many of them have been told. */
  #told = 0;
  #telling = false;

  constructor(ledger: Ledger, clock: Clock) {
    this.ledger = ledger;
    this.#clock = clock;
  }

  /** A permit for a caller at an empty line, who has checked `canGrant`. */
  grantTo(claimant: Claimant, waiter: Waiter): void {
    this.ledger.take(claimant.account);
    const { startedAt, label } = waiter;
    this.#tell(waiter, claimant.holders.add(waiter, startedAt, label), startedAt);
  }

  /** A permit at once for a caller at an empty line, or none. */
  tryGrant(claimant: Claimant, label: string | undefined): Lease | undefined {
    if (!this.ledger.tryTake(claimant.account)) return undefined;
    return claimant.holders.add(undefined, this.#clock.turn(), label);
  }

  /** Takes a permit back and serves whoever is next, in the same turn (I6). */
  release(claimant: Claimant, holding: Holding): void {
    if (claimant.line.length === 0 && this.#rings.isEmpty) {
      this.#takeBack(claimant, holding, this.#clock.turn());
      this.ledger.give(claimant.account);
      return claimant.checkIdle();
    }
    const now = this.#clock.now();
    this.#takeBack(claimant, holding, now);
    const waiter = this.#nextOf(claimant, now);
    if (waiter) return this.#leaveLine(claimant, waiter, now, undefined);
    this.ledger.give(claimant.account);
    this.place(claimant);
    this.serve(now);
    claimant.checkIdle();
  }

  /** Like `release`, but only if the next waiter of the same partition takes the connection too. */
  handOver(claimant: Claimant, holding: Holding): boolean {
    if (claimant.line.length === 0) return false;
    const now = this.#clock.now();
    const { connection, number } = holding;
    const waiter = this.#nextOf(claimant, now);
    if (!waiter) return false;
    // Who was told of a deadline meanwhile may have released this very lease.
    if (holding.number !== number) throw new LeaseReleasedError(claimant.name);
    this.#takeBack(claimant, holding, now);
    this.#leaveLine(claimant, waiter, now, connection);
    return true;
  }

  /** Puts a claimant into the ring where its waiters belong; after each change of line or use. */
  place(claimant: Claimant): void {
    const rank = this.#rankOf(claimant);
    if (rank !== claimant.rank) this.#rings.enter(claimant, rank);
  }

  /** Serves the rings until nobody who waits can be granted (I5). */
  serve(now: number = this.#clock.now()): void {
    let claimant = this.#rings.next(this.#canGrant);
    while (claimant) {
      const waiter = this.#firstInLine(claimant, now);
      // The expired were told meanwhile, and may have taken the permit by another call.
      if (waiter && this.#canGrant(claimant.account)) {
        this.ledger.take(claimant.account);
        this.#leaveLine(claimant, waiter, now, undefined);
      }
      claimant = this.#rings.next(this.#canGrant);
    }
  }

  readonly #canGrant = (account: Account): boolean => this.ledger.canGrant(account);

  #rankOf({ line, account }: Claimant): Rank | undefined {
    return line.length > 0 ? this.ledger.rank(account) : undefined;
  }

  #takeBack({ holders, recorder }: Claimant, holding: Holding, now: number): void {
    holders.remove(holding);
    recorder.hold.record(now - holding.grantedAt);
  }

  /**
   * The waiter of the same partition to whom a permit goes without being free in between. Asked
   * only after the expired were told: what they then do may bring others with a better claim.
   */
  #nextOf(claimant: Claimant, now: number): Waiter | undefined {
    const waiter = this.#firstInLine(claimant, now);
    return waiter && this.#isOwn(claimant) ? waiter : undefined;
  }

  /** True when a permit coming back to the claimant is its own, or nobody else wants it. */
  #isOwn(claimant: Claimant): boolean {
    return this.ledger.keepsNext(claimant.account) || this.#rings.hasOnly(claimant);
  }

  /** The first waiter whose deadline has not passed; those before it are told that theirs has. */
  #firstInLine(claimant: Claimant, now: number): Waiter | undefined {
    let first = claimant.line.first;
    while (first && claimant.expireIfDue(first, now)) first = claimant.line.first;
    return first;
  }

  #leaveLine(claimant: Claimant, waiter: Waiter, now: number, connection: unknown): void {
    claimant.leaveLine(waiter);
    this.#rings.enter(claimant, this.#rankOf(claimant));
    const lease = claimant.holders.add(waiter, now, waiter.label);
    lease.connection = connection;
    this.#tell(waiter, lease, now);
  }

  #tell(waiter: Waiter, lease: Lease, now: number): void {
    waiter.state = 'connecting';
    if (this.#telling) {
      this.#untold.push({ waiter, lease });
      return;
    }
    this.#telling = true;
    try {
      waiter.granted(lease, now);
      for (let next = this.#nextUntold(); next; next = this.#nextUntold()) {
        next.waiter.granted(next.lease);
      }
    } finally {
      this.#telling = false;
    }
  }

  // Not shifted one by one: each shift of a long array costs as much as the array is long.
  #nextUntold(): Grant | undefined {
    if (this.#untold.length === 0) return undefined;
    const next = this.#untold[this.#told++];
    if (this.#told >= this.#untold.length) {
      this.#untold.length = 0;
      this.#told = 0;
    }
    return next;
  }
}
