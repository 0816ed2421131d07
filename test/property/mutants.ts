import type { Invariant } from './invariants.ts';

/** One way to break the code on purpose. */
export interface Mutant {
  readonly name: string;
  /** The invariant whose check has to notice. */
  readonly breaks: Invariant;
  /** The file in src/, and the one place in it. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const mutant = (
  breaks: Invariant,
  file: string,
  name: string,
  from: string,
  to: string,
): Mutant => ({ name, breaks, file, from, to });

export const MUTANTS: readonly Mutant[] = [
  mutant('I1', 'ledger', 'grants without room in the pool', 'this.used < this.max &&', ''),
  mutant(
    'I2',
    'ledger',
    'keeps no floor',
    '(account.used < keep(account) || this.committed < this.max)',
    'this.committed < this.max',
  ),
  mutant(
    'I2',
    'ledger',
    'grants what is kept for others',
    '|| this.committed < this.max)',
    '|| this.used < this.max)',
  ),
  mutant(
    'I2',
    'ledger',
    'does not count unreserved permits as committed',
    'if (account.used >= keep(account)) this.committed++;',
    '',
  ),
  mutant(
    'I3',
    'permits',
    'passes a permit on in its own line though a claim waits',
    'return this.ledger.keepsNext(claimant.account) || this.#rings.hasOnly(claimant);',
    'return true;',
  ),
  mutant(
    'I7',
    'permits',
    'passes a permit on in its own line for ever',
    'return this.ledger.keepsNext(claimant.account) || this.#rings.hasOnly(claimant);',
    'return true;',
  ),
  mutant('I4', 'ledger', 'grants above the ceiling', 'account.used < account.max &&', ''),
  mutant(
    'I5',
    'permits',
    'frees a permit and serves nobody',
    'this.serve(now);\n    claimant.checkIdle();',
    'claimant.checkIdle();',
  ),
  mutant(
    'I5',
    'permits',
    'forgets the line of a partition that is below its ceiling again',
    'this.ledger.give(claimant.account);\n    this.place(claimant);',
    'this.ledger.give(claimant.account);',
  ),
  mutant(
    'I5',
    'permits',
    'stops serving at a line in which everybody is late',
    'if (waiter && this.#canGrant(claimant.account)) {',
    'if (!waiter) return;\n      if (this.#canGrant(claimant.account)) {',
  ),
  mutant('I6', 'line', 'serves the last in line', 'return this.#first;', 'return this.#last;'),
  mutant(
    'I6',
    'waiter',
    'ignores priority',
    'if (options?.priority !== undefined) this.priority = options.priority;',
    '',
  ),
  mutant(
    'I6',
    'line',
    'serves the lowest priority first',
    '.priority > priority) low',
    '.priority < priority) low',
  ),
  mutant(
    'I6',
    'permits',
    'hands a permit over in a later turn',
    'if (waiter) return this.#leaveLine(claimant, waiter, now, undefined);',
    'if (waiter) return queueMicrotask(() => this.#leaveLine(claimant, waiter, now, undefined));',
  ),
  mutant(
    'I6',
    'permits',
    'frees a permit to take it again',
    'if (waiter) return this.#leaveLine(claimant, waiter, now, undefined);',
    '',
  ),
  mutant(
    'I8',
    'permits',
    'serves a waiter whose deadline has passed',
    'while (first && claimant.expireIfDue(first, now)) first = claimant.line.first;',
    '',
  ),
  mutant(
    'I8',
    'partition',
    'delivers after the deadline',
    'if (this.expireIfDue(waiter, now)) return false;',
    '',
  ),
  mutant(
    'I8',
    'permits',
    'starts the deadline again at the grant',
    "waiter.state = 'connecting';",
    "Object.assign(waiter, { state: 'connecting', startedAt: now });",
  ),
  mutant(
    'I8',
    'deadlines',
    'lets a new call move the timer of those before it',
    'if (this.#timer) this.#clock.clearTimer(this.#timer);',
    'if (this.#timer) return;',
  ),
  mutant(
    'I8',
    'waiter',
    'takes an early timer for the deadline',
    'return now - this.startedAt >= this.timeoutMillis;',
    'return now - this.startedAt >= this.timeoutMillis - 1;',
  ),
  mutant(
    'I9',
    'lease',
    'takes a lease back twice',
    'if (holding.number !== this.#number) throw',
    'if (holding.number === 0) throw',
  ),
  mutant(
    'I9',
    'abort',
    'keeps listening for the abort',
    "this.#signal.removeEventListener('abort', this.#tell);",
    '',
  ),
  mutant('I9', 'partition', 'keeps the timer', 'this.#deadlines.disarm(waiter);', ''),
  mutant(
    'I9',
    'lease',
    'loses the permit of a failed connect',
    'this.release();\n    if (this.#waiter)',
    'if (this.#waiter)',
  ),
  mutant(
    'I9',
    'partition',
    'delivers to a caller that is gone',
    "if (waiter.state === 'settled') return false;",
    '',
  ),
  mutant(
    'I9',
    'waiter',
    'loses the permit of a caller that left while others were told',
    'else lease.release();',
    '',
  ),
  mutant(
    'I9',
    'partition',
    'leaves the aborted in line',
    'this.leaveLine(waiter);\n      this.#permits.place(this);',
    '',
  ),
  mutant(
    'I10',
    'context',
    'leaves its context behind',
    'return storage.run({ partition, label: options?.label }, () => started(fn()));',
    'storage.enterWith({ partition, label: options?.label });\n  return started(fn());',
  ),
];
