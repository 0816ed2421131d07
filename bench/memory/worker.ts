import { getEventListeners } from 'node:events';
import { readdirSync } from 'node:fs';
import { Partitioner, type Partition } from '../../src/index.ts';
import { answer } from '../ask-child.ts';
import { collect, Countdown } from '../measure.ts';
import { loadSubject } from '../subjects/load.ts';

export type Question =
  | { readonly what: 'waiter'; readonly subject: string; readonly n: number }
  | { readonly what: 'gone' | 'checkouts'; readonly n: number };

/** What a process has; `bytes` is the heap after a collection. */
export interface Belongings {
  readonly bytes: number;
  readonly listeners: number;
  readonly timers: number;
  readonly descriptors: number;
}

export interface Answer {
  readonly before: Belongings;
  readonly after: Belongings;
}

const ourLibrary = new URL('../../src/index.js', import.meta.url).href;
const signal = new AbortController().signal;

answer((question: Question) => {
  if (question.what === 'waiter') return heapOfWaiters(question.subject, question.n);
  return question.what === 'gone' ? comeAndGo(question.n) : checkOut(question.n);
});

function belongings(): Belongings {
  // What the first leaves to finalizers the second finds.
  collect();
  collect();
  return {
    bytes: process.memoryUsage().heapUsed,
    listeners: getEventListeners(signal, 'abort').length,
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
    descriptors: openDescriptors(),
  };
}

function openDescriptors(): number {
  try {
    return readdirSync('/proc/self/fd').length;
  } catch {
    return 0;
  }
}

async function heapOfWaiters(name: string, n: number): Promise<Answer> {
  const subject = await loadSubject(name, ourLibrary);
  const gate = await subject.open({ timeoutMillis: 30_000, timeoutMatters: true });
  await gate.hold();
  gate.ask();
  const asked: unknown[] = Array.from({ length: n }, () => null);
  const before = belongings();
  for (let index = 0; index < n; index++) asked[index] = gate.ask();
  return { before, after: belongings() };
}

const open = (acquireTimeoutMillis: number): Partition =>
  new Partitioner({
    partitions: { one: 1 },
    acquireTimeoutMillis,
    maxWaiting: Infinity,
  }).partition('one');

/** A third is served, a third times out, a third is called off. */
async function comeAndGo(n: number): Promise<Answer> {
  const patient = open(30_000);
  const hasty = open(10);
  // What code and buffers grow to by themselves is no leak.
  await pass(patient, hasty, Math.ceil(n / 30));
  const before = belongings();
  await pass(patient, hasty, Math.ceil(n / 3));
  return { before, after: belongings() };
}

/** Callers for each signal; the cost of one more grows with those it has already. */
const perSignal = 50;

async function pass(patient: Partition, hasty: Partition, n: number): Promise<void> {
  const calledOff = Array.from({ length: Math.ceil(n / perSignal) }, () => new AbortController());
  const [lease, other] = [await patient.acquire(), await hasty.acquire()];
  const countdown = new Countdown();
  const all = countdown.of(3 * n);
  for (let index = 0; index < n; index++) {
    void patient.acquire().then((served) => (served.release(), countdown.one()));
    void hasty.acquire().catch(countdown.one);
    const { signal: own } = calledOff[Math.floor(index / perSignal)] ?? new AbortController();
    void patient.acquire({ signal: own }).catch(countdown.one);
  }
  for (const one of calledOff) one.abort(new Error('given up'));
  lease.release();
  await all;
  other.release();
}

/** Nine of ten at once, one of ten by a promise, one of a hundred with a signal that never aborts. */
async function checkOut(n: number): Promise<Answer> {
  const partition = open(30_000);
  await turns(partition, 10_000);
  const before = belongings();
  await turns(partition, n);
  return { before, after: belongings() };
}

async function turns(partition: Partition, n: number): Promise<void> {
  for (let turn = 0; turn < n; turn++) {
    if (turn % 10 !== 0) partition.tryAcquire()?.release();
    else (await partition.acquire(turn % 100 === 0 ? { signal } : undefined)).release();
  }
}
