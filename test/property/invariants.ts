/** The invariants of docs/design.md, as the tests name them. */
export const INVARIANTS = {
  I1: 'hard total: permits in use never exceed max',
  I2: 'immediate floor: a partition below its size and without a line is granted at once',
  I3: 'claims first: an unreserved permit goes to a partition below its size before any other',
  I4: 'ceiling: no partition holds more than its max',
  I5: 'work conservation: nobody waits while they could be granted',
  I6: 'order: first come first served by priority, handed over in the same turn',
  I7: 'bounded recovery: a claim waits only for leases that use unreserved permits',
  I8: 'one deadline: settled by the deadline measured from the call',
  I9: 'exactly once: every permit back once, every waiter settled once, nothing left behind',
  I10: "context: the caller's own is current when its promise settles",
} as const;

export type Invariant = keyof typeof INVARIANTS;

export class Violation extends Error {
  readonly invariant: Invariant;

  constructor(invariant: Invariant, what: string) {
    super(`${invariant} ${INVARIANTS[invariant]}\n  seen: ${what}`);
    this.invariant = invariant;
  }
}

/** How often each invariant was looked at: a check that is never reached proves nothing. */
export type Tally = Record<Invariant, number>;

export const emptyTally = (): Tally =>
  Object.fromEntries(Object.keys(INVARIANTS).map((name) => [name, 0])) as Tally;
