import { Countdown, cpuNanos, shuffled } from '../measure.ts';
import type { Ability, Call, Gate, Subject } from '../subjects/subject.ts';

/** What is measured of each subject: nanoseconds of CPU time for one caller in a line of `n`. */
export interface Task {
  readonly name: string;
  readonly needs: Ability | undefined;
  /** False: there is no line, only one caller after the other. */
  readonly hasLine: boolean;
  /** The longest line in a quick run, where longer ones take too long. */
  readonly quickMost?: number;
  /** What it returns takes one sample after the other, on the same gates. */
  prepare(subject: Subject, n: number): Promise<Sample>;
}

export type Sample = () => Promise<number>;

/** Long enough that nobody is refused; the most that ours accepts. */
const patience = { timeoutMillis: 30_000 };
const impatience = { timeoutMillis: 25, timeoutMatters: true };

/**
 * Of so many callers together a sample is made, so that clocks and timers do not count.
 */
const enough = 40_000;
const turns = 100_000;

const repeats = (n: number): number => Math.max(1, Math.ceil(enough / n));

export const tasks: readonly Task[] = [
  {
    name: 'acquire and release',
    needs: undefined,
    hasLine: false,
    async prepare(subject) {
      const gate = await subject.open(patience);
      return async () => (await cpuNanos(() => gate.turns(turns))) / turns;
    },
  },
  {
    name: 'acquire and release, synchronous',
    needs: 'sync',
    hasLine: false,
    async prepare(subject) {
      const gate = await subject.open(patience);
      const many = 10 * turns;
      return async () => (await cpuNanos(() => gate.turnsSync?.(many))) / many;
    },
  },
  {
    name: 'drain',
    needs: undefined,
    hasLine: true,
    prepare: (subject, n) => drain(subject, n, () => undefined),
  },
  { name: 'time out', needs: 'timeout', hasLine: true, prepare: timeOut },
  { name: 'abort', needs: 'abort', hasLine: true, quickMost: 10_000, prepare: abort },
  {
    name: 'mixed line',
    needs: 'priority',
    hasLine: true,
    prepare: (subject, n) => drain(subject, n, mixedCall),
  },
];

/** Half as the partition says, a quarter with deadlines of their own, a quarter with priorities. */
const mixed: readonly (Call | undefined)[] = [
  ...[undefined, { timeoutMillis: 20_000 }, undefined, { priority: 1 }],
  ...[undefined, { timeoutMillis: 29_000 }, undefined, { priority: 3 }],
];
const mixedCall = (index: number): Call | undefined => mixed[index % mixed.length];

/** N callers come while the permit is held, then each is served by the one before. */
async function drain(
  subject: Subject,
  n: number,
  callOf: (index: number) => Call | undefined,
): Promise<Sample> {
  const gate = await subject.open(patience);
  const countdown = new Countdown();
  const send = gate.caller({ served: countdown.one, refused: unexpected });
  const times = repeats(n);
  const work = async (): Promise<void> => {
    for (let time = 0; time < times; time++) {
      const release = await gate.hold();
      const all = countdown.of(n);
      for (let index = 0; index < n; index++) send(callOf(index));
      release();
      await all;
    }
  };
  return async () => (await cpuNanos(work)) / n / times;
}

/** N callers come to each of many gates, so that also short lines expire together. */
async function timeOut(subject: Subject, n: number): Promise<Sample> {
  const countdown = new Countdown();
  const gates = await openHeld(subject, repeats(n));
  const sends = gates.map((gate) => gate.caller({ served: unexpected, refused: countdown.one }));
  const work = (): Promise<void> => {
    const all = countdown.of(n * sends.length);
    for (const send of sends) for (let index = 0; index < n; index++) send();
    return all;
  };
  return async () => (await cpuNanos(work)) / n / sends.length;
}

async function openHeld(subject: Subject, count: number): Promise<Gate[]> {
  const gates: Gate[] = [];
  for (let opened = 0; opened < count; opened++) {
    const gate = await subject.open(impatience);
    await gate.hold();
    gates.push(gate);
  }
  return gates;
}

/** N callers come, each with a signal of its own, and are called off in random order. */
async function abort(subject: Subject, n: number): Promise<Sample> {
  const gate = await subject.open(patience);
  await gate.hold();
  const countdown = new Countdown();
  const send = gate.caller({ served: unexpected, refused: countdown.one });
  const times = Math.ceil(repeats(n) / 10);
  const order = shuffled(n);
  const reason = new Error('given up');
  return async () => {
    const lines = Array.from({ length: times }, () => controllersOf(n));
    const nanos = await cpuNanos(async () => {
      for (const controllers of lines) {
        const all = countdown.of(n);
        for (const { signal } of controllers) send({ signal });
        for (const index of order) controllers[index]?.abort(reason);
        await all;
      }
    });
    return nanos / n / times;
  };
}

const controllersOf = (n: number): AbortController[] =>
  Array.from({ length: n }, () => new AbortController());

function unexpected(): void {
  throw new Error('a caller was refused that had to be served, or the other way round');
}
