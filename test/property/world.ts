import { request } from '../fakes/receiver.ts';
import { currentContext, runIn } from '../../src/context.ts';
import { Partitioner } from '../../src/partitioner.ts';
import type { Lease } from '../../src/lease.ts';
import type { AcquireOptions } from '../../src/acquire-options.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeSignal } from '../fakes/fake-signal.ts';
import { Part, type Call, type Expected, type Held, type Outcome } from './books.ts';
import { Model } from './model.ts';
import type { Dice, PartitionPlan, Plan } from './plan.ts';

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  ERR_PARTITION_FULL: 'FULL',
  ERR_PARTITION_CLOSED: 'CLOSED',
  ERR_ACQUIRE_TIMEOUT: 'TIMEOUT',
  ERR_ACQUIRE_ABORTED: 'ABORTED',
};

class NoConnection extends Error {}

interface Rejection extends Error {
  readonly code?: string;
  readonly waitedMillis: number;
}

/** What the callers of a call do when they are told; operations are plugged in here. */
export interface Habits {
  granted(call: Call, held: Held): void;
  rejected(call: Call): void;
}

/** A partitioner on a clock of its own, with callers who watch it through `model`. */
export class World {
  readonly clock: FakeClock;
  readonly partitioner: Partitioner;
  readonly model: Model;
  readonly held: Held[] = [];
  /** Leases whose connection is still being opened. */
  readonly connecting: Held[] = [];
  readonly spent: Lease[] = [];
  /** True in a step in which operations run inside operations: what is expected is uncertain then. */
  nested = false;
  /** Counts what callers are told, so that a quiet turn can be recognised. */
  events = 0;
  outstanding = 0;
  readonly #habits: Habits;
  #calls = 0;
  #places = 0;
  /** Receivers that are being told: what they set off is told when they are done. */
  #telling = 0;
  /** While a lease is released whose permit has a taker: uses before; may not drop (I6). */
  #passing: { part: Part; inUse: number } | undefined = undefined;
  /** Connections on their way from one lease to the next. */
  readonly #handed = new Set<unknown>();
  /** Violations seen inside promises. */
  readonly #broken: unknown[] = [];

  constructor(plan: Plan, habits: (world: World) => Habits) {
    this.clock = new FakeClock({ early: plan.early });
    const partitions = Object.fromEntries(plan.partitions.map((one, index) => [`p${index}`, one]));
    this.partitioner = new Partitioner({ max: plan.max, partitions }, { clock: this.clock });
    this.model = new Model(this.clock, plan.total);
    plan.partitions.forEach((one, index) => this.know(`p${index}`, one));
    this.#habits = habits(this);
  }

  know(name: string, plan: PartitionPlan): void {
    this.model.parts.push(new Part(this.partitioner.partition(name), plan));
  }

  call(part: Part, kind: Call['kind'], dice: Dice, signal: FakeSignal | undefined): void {
    const own = part.plan.acquireTimeoutMillis;
    const timeout = [own, own, own, own, 0, 3, 10, 40][dice.roll(8)] ?? own;
    const priority = [0, 0, 0, 1, -1][dice.roll(5)] ?? 0;
    const options = {
      ...(timeout === own ? {} : { acquireTimeoutMillis: timeout }),
      ...(priority === 0 ? {} : { priority }),
      ...(signal ? { signal: signal.signal } : {}),
    };
    const startedAt = this.clock.now();
    const deadline = startedAt + (timeout || own || 2000);
    const [id, { step }] = [++this.#calls, this.model];
    const what = { id, step, part, kind, priority, startedAt, deadline, signal };
    const call: Call = { ...what, place: undefined, permits: 0, outcome: undefined };
    const expected = this.model.expect(call, timeout);
    this.model.called(call);
    if (kind === 'driver') this.#request(call, options);
    else this.#promise(call, options);
    call.place = ++this.#places;
    if (this.#certain && kind === 'driver') this.#checkAnswer(call, expected);
  }

  /** Gives a lease back; whoever is next has the permit before this returns. */
  release(held: Held): void {
    const { part, lease, finish } = held;
    if (!lease) {
      this.#forget(held);
      return finish?.();
    }
    const next = this.model.keeps(part) ? this.model.next(part) : undefined;
    this.#forget(held);
    if (next && this.#certain) this.#passing = { part, inUse: part.real.inUse };
    lease.release();
    this.#spend(lease);
    this.#passing = undefined;
    this.#checkServed(next);
  }

  /** Gives permit and connection to the next in the same line, or else releases. */
  handOver(held: Held): void {
    const { part, lease } = held;
    if (!lease) return this.release(held);
    const next = this.model.keeps(part) ? this.model.next(part) : undefined;
    const connection = {};
    this.#handed.add(connection);
    this.#forget(held);
    lease.connection = connection;
    if (lease.handOver()) {
      this.#spend(lease);
      return this.#checkServed(next);
    }
    this.#handed.delete(connection);
    if (this.#certain) this.model.see('I6', !next, () => `${part.text} would not hand over`);
    part.used++;
    this.held.push(held);
    this.release(held);
  }

  /** The connection is there: the caller gets it if it still waits and its deadline has not passed. */
  deliver(held: Held): void {
    const { call, lease } = held;
    if (!call || !lease) return;
    remove(this.connecting, held);
    const there = call.outcome === undefined;
    const inTime = this.clock.now() < call.deadline;
    const delivered = lease.deliver();
    this.model.see(there && !inTime ? 'I8' : 'I9', delivered === (there && inTime), () => {
      return `deliver said ${delivered} for call ${call.id} (there ${there}, in time ${inTime})`;
    });
    if (delivered) this.model.settled(call, 'granted');
    else if (!lease.released) this.handOver(held);
  }

  fail(held: Held): void {
    this.#forget(held);
    held.lease?.fail(new NoConnection());
  }

  /** A lease that is back already must not come back again. */
  releaseAgain(lease: Lease): void {
    for (const again of [() => lease.release(), () => lease.handOver()]) {
      let code: unknown;
      try {
        again();
      } catch (error) {
        ({ code } = error as { code?: unknown });
      }
      this.model.see('I9', code === 'ERR_LEASE_RELEASED', () => `a second release was accepted`);
    }
  }

  tryAcquire(part: Part): void {
    const could = part.state === 'open' && part.line.size === 0 && this.model.couldHave(part);
    const lease = part.real.tryAcquire();
    if (this.#certain)
      this.model.checkGrant(part, lease ? 'granted' : 'FULL', could ? 'granted' : 'FULL');
    part.requested++;
    part.outcomes[lease ? 'granted' : part.state === 'open' ? 'FULL' : 'CLOSED']++;
    if (!lease) return;
    this.model.taken(part);
    this.held.push({ part, call: undefined, lease, finish: undefined });
  }

  get #certain(): boolean {
    return !this.nested && this.#telling === 0;
  }

  /** Lets every promise that can settle do so. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < 6 && this.outstanding > 0; quiet++) {
      const before = this.events;
      await Promise.resolve();
      if (before !== this.events) quiet = 0;
    }
  }

  #request(call: Call, options: AcquireOptions): void {
    request(call.part.real, options, {
      granted: (lease) => this.#granted(call, lease, undefined),
      rejected: (error) => this.#rejected(call, error as Rejection),
    });
  }

  #promise(call: Call, options: AcquireOptions): void {
    this.outstanding++;
    const outside = currentContext();
    runIn(`caller ${call.id}`, () => {
      const done =
        call.kind === 'acquire' ? this.#acquire(call, options) : this.#run(call, options);
      done
        .catch((error: unknown) => this.#rejected(call, error as Rejection))
        .catch((violation: unknown) => this.#broken.push(violation))
        .finally(() => {
          this.events++;
          this.outstanding--;
        });
    });
    this.model.see('I10', currentContext() === outside, () => `call ${call.id} left its context`);
  }

  throwIfBroken(): void {
    if (this.#broken.length > 0) throw this.#broken[0];
  }

  async #acquire(call: Call, options: AcquireOptions): Promise<void> {
    const lease = await call.part.real.acquire(options);
    this.#checkContext(call);
    this.#granted(call, lease, undefined);
  }

  async #run(call: Call, options: AcquireOptions): Promise<void> {
    await call.part.real.run((signal) => {
      this.#checkContext(call);
      this.model.see('I9', !signal.aborted, () => `call ${call.id} ran though it was aborted`);
      return new Promise<void>((resolve) => this.#granted(call, undefined, resolve));
    }, options);
    this.#checkContext(call);
  }

  #checkContext(call: Call): void {
    const name = currentContext()?.partition;
    const own = name === `caller ${call.id}`;
    this.model.see('I10', own, () => `call ${call.id} continues in that of ${name}`);
  }

  #granted(call: Call, lease: Lease | undefined, finish: (() => void) | undefined): void {
    this.events++;
    const held = { part: call.part, call, lease, finish };
    this.model.permitted(call);
    const moved = lease?.connection;
    this.model.see('I6', moved === undefined || this.#handed.delete(moved), () => {
      return `call ${call.id} got the connection of another`;
    });
    this.held.push(held);
    if (call.kind === 'driver') this.connecting.push(held);
    else this.model.settled(call, 'granted');
    this.#passing = undefined;
    this.#telling++;
    this.#habits.granted(call, held);
    this.#telling--;
  }

  #rejected(call: Call, error: Rejection): void {
    this.events++;
    if (!(error instanceof NoConnection) && !OUTCOMES[error.code ?? '']) throw error;
    if (this.#passing && this.#certain) {
      const { part, inUse } = this.#passing;
      this.model.see('I6', part.real.inUse >= inUse, () => `${part.text} was freed to be retaken`);
    }
    const outcome = OUTCOMES[error.code ?? ''] ?? 'failed';
    this.model.settled(call, outcome);
    if (outcome === 'TIMEOUT') this.model.timedOut(call, error.waitedMillis);
    if (outcome === 'ABORTED') this.#checkCause(call, error);
    this.#telling++;
    this.#habits.rejected(call);
    this.#telling--;
  }

  #checkCause({ id, signal }: Call, { cause }: Rejection): void {
    const own = signal?.aborted === true && cause === signal.reason;
    this.model.see('I9', own, () => `call ${id} was aborted by another's signal`);
  }

  #checkAnswer(call: Call, expected: Expected): void {
    const { part, permits, outcome } = call;
    const answer = permits > 0 ? 'granted' : (outcome ?? 'waiting');
    this.model.checkGrant(part, answer, expected);
  }

  #checkServed(next: Call | undefined): void {
    if (!next || !this.#certain || next.kind !== 'driver') return;
    const what = `call ${next.id} was not served in the turn of the release`;
    this.model.see('I6', next.permits === 1, () => what);
  }

  #forget(held: Held): void {
    held.part.used--;
    remove(this.held, held);
    remove(this.connecting, held);
  }

  #spend(lease: Lease): void {
    this.spent.push(lease);
    if (this.spent.length > 8) this.spent.shift();
  }
}

/** In any order: these lists are only drawn from at random. */
function remove<T>(list: T[], item: T): void {
  const index = list.indexOf(item);
  if (index < 0) return;
  list[index] = list[list.length - 1] as T;
  list.pop();
}
