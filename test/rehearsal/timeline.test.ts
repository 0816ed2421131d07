import { describe, expect, test } from '@jest/globals';
import { Load } from '../../rehearsal/load.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import type { Scenario, Workload } from '../../rehearsal/scenario.ts';
import { recordTimeline, type Timeline } from '../../rehearsal/timeline.ts';
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

/** Requests for 40 ms of two seconds: a moment every 10 ms. */
const scenario = (...workloads: Workload[]): Scenario => ({
  ...monthEnd,
  phases: [
    {
      name: 'busy',
      durationMillis: 40,
      partitions: workloads.map(({ partition }) => partition),
    },
    { name: 'quiet', durationMillis: 1_960, partitions: [] },
  ],
  workloads,
});

interface Played {
  readonly timeline: Timeline;
  readonly load: Load;
  readonly log: readonly string[];
}

interface Circumstances {
  readonly connections?: number;
  readonly refuses?: boolean;
  readonly recorded?: boolean;
  readonly disturb?: (clock: FakeClock) => Promise<void>;
}

async function play(played: Scenario, circumstances: Circumstances = {}): Promise<Played> {
  const { connections = 1, refuses = false, recorded = true, disturb } = circumstances;
  const clock = new FakeClock();
  const subject = new FakeSubject(clock, connections);
  subject.refuses = refuses;
  const done = new AbortController();
  const load = new Load({
    scenario: played,
    subject,
    clock,
    classify: () => 'refused',
    without: [],
    seed: 1,
    signal: new AbortController().signal,
  });
  const recording = recordTimeline({
    clock,
    scenario: played,
    tallies: recorded ? load.tallies : new Map(),
    connections: () => subject.inUse,
    done: done.signal,
  });
  const running = load.run().finally(() => done.abort());
  await disturb?.(clock);
  await clock.advance(2_000);
  await running;
  const timeline = await recording;
  expect(clock.pending).toBe(0);
  return { timeline, load, log: subject.log };
}

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

describe('a timeline', () => {
  test('has what is held and who waits at each moment, and what became of requests since the last', async () => {
    const { timeline } = await play(scenario(order));
    expect(timeline).toEqual({
      everyMillis: 10,
      connections: [0, 1, 1, 1, 1, 1, 0, 0],
      partitions: {
        order: {
          inUse: [0, 1, 1, 1, 1, 1, 0, 0],
          waiting: [0, 0, 0, 0, 1, 0, 0, 0],
          servedInTime: [0, 0, 1, 1, 0, 0, 0, 0],
          late: [0, 0, 0, 0, 0, 1, 1, 0],
          refused: [0, 0, 0, 0, 0, 0, 0, 0],
          timedOut: [0, 0, 0, 0, 0, 0, 0, 0],
          failed: [0, 0, 0, 0, 0, 0, 0, 0],
        },
      },
    });
  });

  test.each([
    ['that are served', {}],
    ['that are refused', { refuses: true }],
    ['of which the last ends between two moments', { connections: 3 }],
  ])('adds up to the result, with requests %s', async (_, circumstances) => {
    const { timeline, load } = await play(scenario(order, batch), circumstances);
    for (const [name, tally] of load.tallies) {
      const { servedInTime, served, refused, timedOut, failed } = tally.result();
      const lists = timeline.partitions[name];
      expect(sum(lists?.servedInTime ?? [])).toBe(servedInTime);
      expect(sum(lists?.late ?? [])).toBe(served - servedInTime);
      expect(sum(lists?.refused ?? [])).toBe(refused);
      expect(sum(lists?.timedOut ?? [])).toBe(timedOut);
      expect(sum(lists?.failed ?? [])).toBe(failed);
      expect([lists?.inUse.at(-1), lists?.waiting.at(-1)]).toEqual([0, 0]);
    }
  });

  test('has the same moments in every run of a scenario, and more in one that ends later', async () => {
    const { timeline: quick } = await play(scenario(order), { connections: 9 });
    const { timeline: slow } = await play(scenario(order), { connections: 1 });
    expect(quick.everyMillis).toBe(slow.everyMillis);
    expect(quick.connections.length).toBeLessThan(slow.connections.length);
  });

  test('keeps its moments when the machine stands still: those that were missed show what came after', async () => {
    const { timeline } = await play(scenario(order), {
      connections: 9,
      disturb: async (clock) => {
        await clock.advance(5);
        clock.stall(40);
      },
    });
    expect(timeline.partitions['order']?.inUse).toHaveLength(timeline.connections.length);
    expect(timeline.connections.slice(1, 5)).toEqual([1, 1, 1, 1]);
  });

  test('leaves the schedule of the requests as it is', async () => {
    const recorded = await play(scenario(order, batch), { connections: 2 });
    const alone = await play(scenario(order, batch), { connections: 2, recorded: false });
    expect(recorded.log).toEqual(alone.log);
  });
});
