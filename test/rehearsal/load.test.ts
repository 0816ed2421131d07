import { describe, expect, test } from '@jest/globals';
import { Load } from '../../rehearsal/load.ts';
import type { Scenario, Workload } from '../../rehearsal/scenario.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeSubject } from './fake-subject.ts';

const order: Workload = {
  kind: 'arrivals',
  partition: 'order',
  ratePerSecond: 100,
  holdMillis: 15,
  answerWithinMillis: 20,
};
const batch: Workload = {
  kind: 'workers',
  partition: 'batch',
  workers: 2,
  holdMillis: 30,
  comeBackMillis: 40,
};

function scenario(durationMillis: number, ...workloads: Workload[]): Scenario {
  const partitions = workloads.map(({ partition }) => partition);
  return { ...monthEnd, phases: [{ name: 'only', durationMillis, partitions }], workloads };
}

function setUp(connections: number, durationMillis: number, ...workloads: Workload[]) {
  const clock = new FakeClock();
  const subject = new FakeSubject(clock, connections);
  const abort = new AbortController();
  const load = new Load({
    scenario: scenario(durationMillis, ...workloads),
    subject,
    clock,
    classify: () => 'refused',
    without: [],
    seed: 1,
    signal: abort.signal,
  });
  return { clock, subject, abort, load, running: load.run() };
}

const result = (load: Load, partition: string) => load.tallies.get(partition)?.result();

describe('requests', () => {
  test('come at their times however slow the answers are, and wait counts from the intended time', async () => {
    const { clock, subject, load, running } = setUp(1, 40, order);
    await clock.advance(100);
    await running;
    expect(subject.log).toEqual([
      'order out 0',
      'order in 15',
      'order out 15',
      'order in 30',
      'order out 30',
      'order in 45',
      'order out 45',
      'order in 60',
    ]);
    expect(result(load, 'order')).toMatchObject({
      offered: 4,
      served: 4,
      servedInTime: 2,
      latencyMillis: { p50: 20, max: 30 },
    });
  });

  test('that stood in a stalled machine are late although their answer was quick', async () => {
    const { clock, load, running } = setUp(9, 40, order);
    await clock.advance(1);
    clock.stall(25);
    await clock.advance(100);
    await running;
    expect(result(load, 'order')).toMatchObject({ served: 4, servedInTime: 1 });
    expect(load.lag().max).toBe(16);
  });

  test('that are refused or broken are counted and nothing is held afterwards', async () => {
    const { clock, subject, load, running } = setUp(1, 50, order);
    subject.refuses = true;
    await clock.advance(21);
    subject.breaks = true;
    await clock.advance(100);
    await running;
    expect(result(load, 'order')).toMatchObject({
      offered: 5,
      served: 2,
      refused: 2,
      failed: 1,
      firstFailure: 'broken',
    });
    expect(subject.inUse).toBe(0);
  });
});

describe('report workers', () => {
  test('hold one connection for all their reports', async () => {
    const { clock, subject, load, running } = setUp(2, 60, batch);
    await clock.advance(100);
    await running;
    expect(subject.log).toEqual(['batch out 0', 'batch out 0', 'batch in 60', 'batch in 60']);
    expect(result(load, 'batch')).toMatchObject({ offered: 4, served: 4, servedInTime: 4 });
  });

  test('come back after a while when refused', async () => {
    const { clock, subject, load, running } = setUp(1, 100, batch);
    subject.refuses = true;
    await clock.advance(200);
    await running;
    // At 0, 40 and 80 one worker is refused; the other runs four reports.
    expect(result(load, 'batch')).toMatchObject({ offered: 7, served: 4, refused: 3 });
  });

  test('can be left out of a run', async () => {
    const clock = new FakeClock();
    const subject = new FakeSubject(clock, 1);
    const load = new Load({
      scenario: scenario(10, order, batch),
      subject,
      clock,
      classify: () => 'failed',
      without: ['batch'],
      seed: 1,
      signal: new AbortController().signal,
    });
    const running = load.run();
    await clock.advance(100);
    await running;
    expect([...load.tallies.keys()]).toEqual(['order']);
  });
});

describe('an abort', () => {
  test('cuts reports off, empties the line and leaves no timer and no lease', async () => {
    const { clock, subject, abort, load, running } = setUp(2, 1_000, batch, order);
    await clock.advance(25);
    expect(load.tallies.get('order')?.progress().waiting).toBeGreaterThan(0);
    abort.abort();
    await clock.advance(20);
    await running;
    expect(subject.inUse).toBe(0);
  });
});
