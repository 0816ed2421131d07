import { describe, expect, test } from '@jest/globals';
import { scenarios } from '../../rehearsal/index.ts';
import type { ObjectiveResult, RunName, RunResult } from '../../rehearsal/result.ts';
import type { PlayedRun } from '../../rehearsal/run.ts';
import { scaleScenario, type Scenario } from '../../rehearsal/scenario.ts';
import { lagBounds, missedByLateness, playOnSchedule } from '../../rehearsal/schedule.ts';
import { holding } from './rehearsals.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { FakeClock } from './fake-clock.ts';

const runs: readonly RunName[] = ['shared', 'baseline', 'partitioned'];

describe('the bounds', () => {
  test.each<[number, RunName, number, number]>([
    [1, 'shared', 100, 500],
    [1, 'baseline', 25, 150],
    [0.1, 'shared', 10, 50],
    [0.1, 'baseline', 2.5, 15],
    [0.1, 'partitioned', 2.5, 15],
    [0.02, 'shared', 2.5, 10],
    [0.02, 'partitioned', 2.5, 10],
  ])('of month-end at %p, %s', (scale, run, lagBoundMillis, voidBoundMillis) => {
    const bounds = lagBounds(scaleScenario(monthEnd, scale), run);
    expect(bounds.lagBoundMillis).toBeCloseTo(lagBoundMillis, 6);
    expect(bounds.voidBoundMillis).toBeCloseTo(voidBoundMillis, 6);
  });

  test('never make a run void that kept its schedule, also with short holds and long deadlines', () => {
    const patient: Scenario = {
      ...monthEnd,
      workloads: monthEnd.workloads.map((workload) =>
        workload.kind === 'arrivals'
          ? { ...workload, holdMillis: 10, answerWithinMillis: 20_000 }
          : workload,
      ),
    };
    for (const scenario of [...scenarios, patient]) {
      for (const scale of [0.02, 0.1, 1]) {
        for (const run of runs) {
          const bounds = lagBounds(scaleScenario(scenario, scale), run);
          expect(bounds.voidBoundMillis).toBeGreaterThanOrEqual(bounds.lagBoundMillis);
        }
      }
    }
  });
});

describe('a run', () => {
  const clock = new FakeClock();

  const late = (p99: number): PlayedRun => ({
    name: 'baseline',
    partitions: {},
    serverPeak: 20,
    arrivalLagMillis: { p50: 0, p95: 0, p99, max: p99 },
    timeline: { everyMillis: 80, connections: [], partitions: {} },
  });

  /** Its attempts are late by these; each takes a second. */
  async function play(...lags: readonly number[]) {
    const told: number[] = [];
    const left = [...lags];
    const run = await playOnSchedule({
      clock,
      bounds: { lagBoundMillis: 2.5, voidBoundMillis: 15 },
      onLate: (lag) => told.push(lag),
      play: () => {
        clock.stall(1_000);
        const lag = left.shift();
        return lag === undefined
          ? Promise.reject(new Error('once too often'))
          : Promise.resolve(late(lag));
      },
    });
    const { arrivalLagMillis, keptSchedule, attempts, tookMillis } = run;
    return {
      lag: arrivalLagMillis.p99,
      keptSchedule,
      isVoid: run.void,
      attempts,
      tookMillis,
      told,
    };
  }

  test('that keeps its schedule is played once, up to the bound itself', async () => {
    expect(await play(2.5)).toEqual({
      lag: 2.5,
      keptSchedule: true,
      isVoid: false,
      attempts: 1,
      tookMillis: 1_000,
      told: [],
    });
  });

  test('that was late is played until it keeps it', async () => {
    expect(await play(40, 1)).toMatchObject({
      lag: 1,
      keptSchedule: true,
      isVoid: false,
      told: [40],
    });
  });

  test('that was late three times is the best of them, and not void up to the second bound', async () => {
    expect(await play(40, 15, 16)).toEqual({
      lag: 15,
      keptSchedule: false,
      isVoid: false,
      attempts: 3,
      tookMillis: 3_000,
      told: [40, 15],
    });
  });

  test('of which the best of three is above the second bound is void', async () => {
    expect(await play(40, 15.01, 16)).toMatchObject({
      lag: 15.01,
      keptSchedule: false,
      isVoid: true,
      attempts: 3,
    });
  });

  test('that breaks off is not played again', async () => {
    await expect(play()).rejects.toThrow('once too often');
  });
});

describe('what was missed', () => {
  const missed = (name: string): ObjectiveResult =>
    ({ ...objective, name, met: false }) as ObjectiveResult;
  const objective = { run: 'partitioned', partition: 'order', limit: 1, rule: 'at most' };
  const p99 = { ...missed('p99'), unit: 'ratio', got: 1.7 } as const;
  const almost = { ...missed('in time'), unit: 'share', got: 0.997 } as const;
  const starved = { ...missed('in time'), unit: 'share', got: 0.42 } as const;
  const timedOut = { ...missed('timed out'), unit: 'count', got: 300 } as const;
  const late = holding.runs.map((run) => ({ ...run, keptSchedule: run.name !== 'partitioned' }));

  test.each<[string, readonly RunResult[], readonly ObjectiveResult[], boolean]>([
    ['a p99, by a late generator', late, [p99], true],
    ['a p99 and almost nothing in time, by a late generator', late, [p99, almost], true],
    ['a p99, on schedule', holding.runs, [p99], false],
    ['nothing, by a late generator', late, [], false],
    ['most answers, by a late generator', late, [p99, starved], false],
    ['connections, by a late generator', late, [p99, timedOut], false],
  ])('%s', (_, played, objectives, byLateness) => {
    expect(missedByLateness(played, objectives)).toBe(byLateness);
  });
});
