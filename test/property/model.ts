import { DEFAULT_ACQUIRE_TIMEOUT_MILLIS } from '../../src/config.ts';
import type { FakeClock } from '../fakes/fake-clock.ts';
import type { FakeSignal } from '../fakes/fake-signal.ts';
import { isBefore, type Call, type Expected, type Outcome, type Part } from './books.ts';
import { emptyTally, Violation, type Invariant, type Tally } from './invariants.ts';

/** The observer: keeps books of its own and compares them with the invariants after every step. */
export class Model {
  readonly parts: Part[] = [];
  readonly unsettled: Set<Call> = new Set();
  readonly signals: FakeSignal[] = [];
  readonly tally: Tally = emptyTally();
  readonly #clock: FakeClock;
  max: number;
  step = 0;
  /** True while timers may be overdue, and until the step is over in which they fired. */
  stalled = false;
  caughtUp = false;
  /** True in the step in which a partition was added: its permits may still be with others. */
  grown = false;
  /** Permits that are due and not free; they come back and never grow, unless a partition is added. */
  #shortfall = 0;
  #leftWaiting: string | undefined = undefined;
  readonly #served: { call: Call; aboveSize: boolean }[] = [];

  constructor(clock: FakeClock, max: number) {
    this.#clock = clock;
    this.max = max;
  }

  see(invariant: Invariant, holds: boolean, what: () => string): void {
    this.tally[invariant]++;
    if (!holds) throw new Violation(invariant, what());
  }

  get text(): string {
    return this.parts.map(({ text }) => text).join(', ');
  }

  get used(): number {
    let used = 0;
    for (const part of this.parts) used += part.used;
    return used;
  }

  /** What has to stay free for the sizes of all. */
  get due(): number {
    let due = 0;
    for (const part of this.parts) due += part.due;
    return due;
  }

  /** Who has to be served next: the first in line whose deadline has not passed. */
  next(part: Part): Call | undefined {
    let next: Call | undefined;
    for (const call of part.line) {
      if (call.place === undefined) continue;
      if (call.deadline > this.#clock.now() && (!next || isBefore(call, next))) next = call;
    }
    return next;
  }

  /** Nobody else could use a permit that this partition gives back, or it is its own. */
  keeps(part: Part): boolean {
    if (part.used <= part.plan.size) return true;
    return !this.parts.some(
      (other) => other !== part && other.line.size > 0 && other.used < other.plan.max,
    );
  }

  /** One more for this partition takes nothing that is due to another. */
  couldHave(part: Part): boolean {
    const free = this.max - this.used;
    return part.used < part.plan.max && free > (part.due > 0 ? 0 : this.due);
  }

  /** What this call has to be answered, when nothing else happens meanwhile. */
  expect({ part, signal }: Call, timeout: number): Expected {
    if (part.state !== 'open') return 'CLOSED';
    if (signal?.aborted) return 'ABORTED';
    const inLine = this.#inLine(part);
    if (inLine === 0 && this.couldHave(part)) return 'granted';
    return timeout === 0 || inLine >= part.plan.maxWaiting ? 'FULL' : 'waiting';
  }

  /**
   * A line that is full after a stall lets those go whose time is over, before anybody is refused.
   * Only those with the partition's own timeout: the others have timers of their own.
   */
  #inLine({ line, plan }: Part): number {
    if (line.size < plan.maxWaiting) return line.size;
    const own = plan.acquireTimeoutMillis || DEFAULT_ACQUIRE_TIMEOUT_MILLIS;
    const now = this.#clock.now();
    const over = [...line].filter(
      ({ startedAt, deadline }) => deadline <= now && deadline - startedAt === own,
    );
    return line.size - over.length;
  }

  /** Granted too much takes what is due to others or jumps the line; too little wastes permits. */
  checkGrant(part: Part, answer: Expected, expected: Expected): void {
    const [tooMuch, own] = [answer === 'granted', part.used < part.plan.size];
    const invariant = tooMuch && part.line.size > 0 ? 'I6' : tooMuch || own ? 'I2' : 'I5';
    this.see(invariant, answer === expected, () => {
      return `a call to ${part.text} got ${answer}, expected ${expected}`;
    });
  }

  called(call: Call): void {
    call.part.requested++;
    this.unsettled.add(call);
    call.part.line.add(call);
  }

  /** A permit came to a caller, or to the driver that works for it. */
  permitted(call: Call): void {
    const { part } = call;
    const now = this.#clock.now();
    this.see('I9', ++call.permits === 1, () => `call ${call.id} got two permits`);
    if (part.line.delete(call) && call.kind === 'driver') {
      this.see('I8', now < call.deadline, () => `call ${call.id} was served after its deadline`);
    }
    this.#served.push({ call, aboveSize: part.used >= part.plan.size });
    this.taken(part);
  }

  taken(part: Part): void {
    part.used++;
    this.see('I4', part.used <= part.plan.max, () => part.text);
    this.see('I1', this.used <= this.max, () => `${this.used} in use of ${this.max}`);
  }

  settled(call: Call, outcome: Outcome): void {
    this.see('I9', call.outcome === undefined, () => {
      return `call ${call.id} was told ${call.outcome}, then ${outcome}`;
    });
    call.outcome = outcome;
    call.part.line.delete(call);
    call.part.outcomes[outcome]++;
    this.unsettled.delete(call);
  }

  timedOut(call: Call, waitedMillis: number): void {
    const allowed = call.deadline - call.startedAt;
    const late = waitedMillis - allowed;
    const inTime = late >= 0 && (this.stalled || late <= this.#clock.early);
    this.see(
      'I8',
      inTime,
      () => `call ${call.id} with ${allowed} ms was told after ${waitedMillis}`,
    );
  }

  /**
   * Before anything asynchronous had a chance to run: by the partitions' own counts, is anybody
   * waiting who could be served? Judged after it had, since a permit that is never handed on is
   * another fault (I5) than one that is handed on too late (I6).
   */
  checkTurn(): void {
    let due = 0;
    let used = 0;
    for (const { real, plan } of this.parts) {
      due += Math.max(0, plan.size - real.inUse);
      used += real.inUse;
    }
    for (const { real, plan } of this.parts) {
      if (real.waiting === 0 || real.inUse >= plan.max) continue;
      const free = this.max - used;
      if (free > (real.inUse < plan.size ? 0 : due)) this.#leftWaiting = real.name;
    }
  }

  /** After every step, when everybody was told what there was to tell. */
  checkStep(): void {
    if (this.caughtUp) this.stalled = false;
    this.caughtUp = false;
    this.#checkBooks();
    this.#checkFloor();
    this.#checkWaiting();
    this.see('I6', !this.#leftWaiting, () => `${this.#leftWaiting} was served in a later turn`);
    this.#checkServed();
    this.#checkSettled();
    this.step++;
  }

  #checkBooks(): void {
    for (const part of this.parts) {
      const { inUse, waiting } = part.real;
      this.see('I9', inUse === part.used, () => `${part.text}, but its own count is ${inUse}`);
      this.see('I9', waiting === part.line.size, () => `${part.text}, but its line has ${waiting}`);
    }
  }

  #checkFloor(): void {
    const shortfall = Math.max(0, this.due - (this.max - this.used));
    this.see('I2', this.grown || shortfall <= this.#shortfall, () => {
      return `${shortfall} permits that are due are not free: ${this.text}`;
    });
    this.grown = false;
    this.#shortfall = shortfall;
  }

  #checkWaiting(): void {
    let above = 0;
    for (const { used, plan } of this.parts) above += Math.max(0, used - plan.size);
    for (const part of this.parts) {
      if (part.line.size === 0) continue;
      this.see('I5', !this.couldHave(part), () => `${part.text} of ${this.max}: ${this.text}`);
      if (part.claims)
        this.see('I7', above > 0, () => `${part.text}, but nobody is above its size`);
    }
  }

  #checkServed(): void {
    const last = { driver: undefined, acquire: undefined, run: undefined } as Record<
      Call['kind'],
      Call | undefined
    >;
    for (const { call, aboveSize } of this.#served) {
      if (aboveSize) this.#checkClaims(call.part);
      if (call.step === this.step) continue;
      for (const other of call.part.line) {
        if (other.step !== this.step) this.#checkOrder(call, other);
      }
      const before = last[call.kind];
      if (before?.part === call.part) this.#checkOrder(before, call);
      last[call.kind] = call;
    }
    this.#served.length = 0;
  }

  #checkOrder(first: Call, second: Call): void {
    this.see('I6', isBefore(first, second), () => {
      const [one, two] = [first, second].map(({ id, priority }) => `${id} (priority ${priority})`);
      return `${first.part.text} served ${one} before ${two}`;
    });
  }

  /** Nobody gets above its size past a claim that has stood there for the whole step. */
  #checkClaims(served: Part): void {
    for (const part of this.parts) {
      const passedOver =
        part !== served && part.claims && [...part.line].some(({ step }) => step !== this.step);
      this.see('I3', !passedOver, () => `${served.text} was served although ${part.text} waits`);
    }
  }

  #checkSettled(): void {
    const listening = new Set<FakeSignal>();
    const now = this.#clock.now() - this.#clock.early;
    for (const { id, signal, deadline } of this.unsettled) {
      if (signal) listening.add(signal);
      if (!this.stalled) {
        this.see('I8', deadline > now, () => `call ${id} was due at ${deadline}, it is ${now}`);
      }
    }
    for (const signal of this.signals) {
      const right = signal.listeners === (listening.has(signal) ? 1 : 0);
      this.see('I9', right, () => `${signal.listeners} listeners on a signal`);
    }
    const { timers, pending } = this.#clock;
    const needed = this.unsettled.size;
    this.see('I9', needed > 0 || pending === 0, () => `${pending} timers, and nobody waits`);
    this.see('I9', timers <= needed + this.parts.length, () => `${timers} timers, ${needed} calls`);
  }
}
