import { isConfigError } from '../../src/errors.ts';
import { FakeSignal } from '../fakes/fake-signal.ts';
import type { Call, Held, Part } from './books.ts';
import { Dice, type PartitionPlan, type Plan } from './plan.ts';
import { World } from './world.ts';

type Operation = (dice: Dice, part: Part) => void;

/** Each as often as it stands here, out of all. */
const WEIGHTS = {
  request: 26,
  acquire: 6,
  run: 4,
  tryAcquire: 5,
  release: 18,
  handOver: 6,
  deliver: 10,
  fail: 4,
  abort: 4,
  advance: 8,
  stall: 4,
  releaseAgain: 2,
  add: 1,
  shut: 1,
} as const;

type Name = keyof typeof WEIGHTS;

const NAMES = Object.entries(WEIGHTS).flatMap(([name, weight]) =>
  Array.from({ length: weight }, () => name as Name),
);

/** Performs random operations, also inside of one another, one step at a time. */
export class Performer {
  readonly world: World;
  /** Only kept when a failure is told. */
  readonly log: string[] | undefined;
  performed = 0;
  #depth = 0;
  #seed = 0;
  readonly #maxIsSum: boolean;
  readonly #endings: Promise<void>[] = [];
  readonly #operations: Record<Name, Operation>;

  constructor(plan: Plan, log?: string[]) {
    this.log = log;
    this.#maxIsSum = plan.max === undefined;
    this.world = new World(plan, () => ({
      granted: (call, held) => this.#onGranted(call, held),
      rejected: (call) => this.#onRejected(call),
    }));
    const { world } = this;
    const anyHeld = (dice: Dice): Held | undefined => dice.pick(world.held);
    this.#operations = {
      request: (dice, part) => world.call(part, 'driver', dice, this.#signal(dice)),
      acquire: (dice, part) => world.call(part, 'acquire', dice, this.#signal(dice)),
      run: (dice, part) => world.call(part, 'run', dice, this.#signal(dice)),
      tryAcquire: (_dice, part) => world.tryAcquire(part),
      release: (dice, part) => this.#with(anyHeld(dice), part, (one) => this.#giveBack(one)),
      handOver: (dice, part) => this.#with(anyHeld(dice), part, (one) => this.#passOn(one)),
      deliver: (dice, part) =>
        this.#with(dice.pick(world.connecting), part, (one) => world.deliver(one)),
      fail: (dice, part) => this.#with(dice.pick(world.connecting), part, (one) => world.fail(one)),
      abort: (dice) => dice.pick(world.model.signals)?.abort(`reason ${this.performed}`),
      advance: (dice) => this.#advance(dice),
      stall: (dice) => this.#stall(dice),
      releaseAgain: (dice, part) =>
        this.#with(dice.pick(world.spent), part, (one) => world.releaseAgain(one)),
      add: (dice) => this.#add(dice),
      // Rare, since a partition never opens again.
      shut: (dice, part) => {
        if (dice.roll(4) === 0) this.#shut(part, dice.roll(2) === 0);
        else this.#operations.request(dice, part);
      },
    };
  }

  async step(seed: number): Promise<void> {
    this.world.nested = false;
    this.#seed = seed;
    this.#perform(seed);
    await this.#endStep();
  }

  /** Ends everything; then nothing may be left. */
  async end(seed: number): Promise<void> {
    const { world } = this;
    const { model, clock } = world;
    world.nested = true;
    this.#seed = seed;
    for (const part of model.parts) this.#shut(part, seed % 2 === 0);
    await this.#endStep();
    while (world.held.length > 0 || model.unsettled.size > 0) {
      for (const held of [...world.held]) if (world.held.includes(held)) this.#giveBack(held);
      clock.advance(2000);
      model.caughtUp = true;
      await this.#endStep();
    }
    await Promise.all(this.#endings);
    model.see('I9', clock.timers === 0, () => `${clock.timers} timers after the end`);
    for (const part of model.parts) this.#checkCounters(part);
  }

  async #endStep(): Promise<void> {
    const { world } = this;
    world.model.checkTurn();
    await world.settle();
    world.throwIfBroken();
    world.model.checkStep();
  }

  #perform(seed: number, inside = false): void {
    const dice = new Dice(seed);
    const name = NAMES[dice.roll(NAMES.length)] as Name;
    const part = dice.pick(this.world.model.parts) as Part;
    // No time passes while somebody is told.
    if (inside && (name === 'advance' || name === 'stall')) return;
    this.performed++;
    this.log?.push(`${'  '.repeat(this.#depth)}${name} (${part.text})`);
    this.#depth++;
    try {
      this.#operations[name](dice, part);
    } finally {
      this.#depth--;
    }
  }

  /** Other operations inside the one that is under way. */
  #nest(): void {
    if (this.#depth > 3) return;
    this.world.nested = true;
    for (let more = this.#roll() % 3; more >= 0; more--) this.#perform(this.#roll(), true);
  }

  #roll(): number {
    this.#seed = new Dice(this.#seed).next();
    return this.#seed;
  }

  #onGranted(call: Call, held: Held): void {
    const { world } = this;
    const mood = this.#roll() % 16;
    if (call.kind === 'run' && mood < 6) return world.release(held);
    if (call.kind !== 'driver') return;
    if (call.outcome !== undefined) return world.deliver(held);
    if (mood >= 13) this.#nest();
    if (mood <= 2 || held.lease?.released) return;
    if (mood === 3) return world.fail(held);
    world.deliver(held);
    if (mood === 4 && !held.lease?.released) return world.release(held);
    if (mood === 5) this.#nest();
  }

  #onRejected(call: Call): void {
    if (call.kind === 'driver' && this.#roll() % 4 === 0) this.#nest();
  }

  /** With nothing there to do it to, a call is made instead. */
  #with<T>(target: T | undefined, part: Part, act: (target: T) => void): void {
    if (target === undefined) this.#operations.request(new Dice(this.#roll()), part);
    else act(target);
  }

  /** A lease whose connection is still being opened is delivered first, as a driver does. */
  #giveBack(held: Held): void {
    if (this.world.connecting.includes(held)) this.world.deliver(held);
    else this.world.release(held);
  }

  #passOn(held: Held): void {
    if (this.world.connecting.includes(held)) this.world.deliver(held);
    else this.world.handOver(held);
  }

  #signal(dice: Dice): FakeSignal | undefined {
    if (dice.roll(3) > 0) return undefined;
    const { signals } = this.world.model;
    const index = dice.roll(5);
    const known = signals[index];
    if (known && (!known.aborted || dice.roll(3) === 0)) return known;
    const signal = new FakeSignal();
    signals[known ? index : signals.length] = signal;
    return signal;
  }

  #advance(dice: Dice): void {
    const { clock, model } = this.world;
    clock.advance([0, 1, 2, 4, 10, 60][dice.roll(6)] ?? 0);
    model.caughtUp = true;
  }

  #stall(dice: Dice): void {
    this.world.model.stalled = true;
    this.world.clock.stall([1, 5, 12, 50][dice.roll(4)] ?? 1);
  }

  #add(dice: Dice): void {
    const { world } = this;
    const { parts, max } = world.model;
    if (parts.length >= 6) return;
    const name = `p${dice.roll(8) === 0 ? 0 : parts.length}`;
    const size = dice.roll(3);
    const plan = { size, max: size + dice.roll(3), acquireTimeoutMillis: 10, maxWaiting: 5 };
    const reserved = parts.reduce((sum, part) => sum + part.plan.size, size);
    const total = this.#maxIsSum ? reserved : max;
    const fits = name !== 'p0' && reserved <= total && plan.max > 0 && plan.max <= total;
    const added = this.#tryToAdd(name, plan);
    world.model.see('I2', added === fits, () => `adding ${name} gave ${added}, not ${fits}`);
    if (!added) return;
    world.model.max = total;
    world.model.grown = true;
    world.know(name, plan);
  }

  #tryToAdd(name: string, plan: PartitionPlan): boolean {
    try {
      this.world.partitioner.add(name, plan);
      return true;
    } catch (error) {
      if (!isConfigError(error)) throw error;
      return false;
    }
  }

  /** No new callers from now on; `draining` serves those who wait. */
  #shut(part: Part, draining: boolean): void {
    if (part.state !== 'closed') part.state = draining ? 'draining' : 'closed';
    this.#endings.push(draining ? part.real.drain() : part.real.close());
  }

  #checkCounters({ real, requested, outcomes }: Part): void {
    const { model } = this.world;
    const { counters, holdMillis } = real.stats();
    const { granted, aborted } = counters;
    const sum = Object.values(outcomes).reduce((total, count) => total + count, 0);
    model.see('I9', counters.requested === requested && requested === sum, () => {
      return `${counters.requested} requested by its own count, ${requested} calls, ${sum} answers`;
    });
    const others = [counters.refused, counters.timedOut, counters.failed, counters.closed].join();
    const seen = [outcomes.FULL, outcomes.TIMEOUT, outcomes.failed, outcomes.CLOSED].join();
    model.see('I9', others === seen, () => `counted ${others}, seen ${seen}`);
    // A `run` aborted between the grant and its turn was granted, and told that it was aborted.
    const late = granted - outcomes.granted;
    model.see('I9', late >= 0 && late === outcomes.ABORTED - aborted, () => {
      return `${granted} granted and ${aborted} aborted, seen ${JSON.stringify(outcomes)}`;
    });
    model.see(
      'I9',
      holdMillis.count >= granted,
      () => `${granted} granted, ${holdMillis.count} back`,
    );
  }
}
