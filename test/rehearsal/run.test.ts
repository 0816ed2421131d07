import { describe, expect, test } from '@jest/globals';
import { document } from '../../cli/document.ts';
import { scenarios } from '../../rehearsal/index.ts';
import { monthEnd } from '../../scenarios/month-end.ts';
import { rehearse, type RehearseOptions } from '../../rehearsal/rehearse.ts';
import type { Rehearsal } from '../../rehearsal/result.ts';
import type { Workload } from '../../rehearsal/scenario.ts';
import type { RehearsalDriver, RehearsalLease, Subject } from '../../rehearsal/subject.ts';
import { FakeClock } from './fake-clock.ts';
import { FakeSubject } from './fake-subject.ts';

/** A driver whose pools serve everybody at once; a test changes what it wants to see. */
function driver(changes: Partial<RehearsalDriver> = {}, log: string[] = []): RehearsalDriver {
  const lease: RehearsalLease = {
    hold: () => Promise.resolve(),
    run: () => Promise.resolve(),
    release: () => undefined,
  };
  const subject = (name: string): Subject => ({
    warmUp: () => Promise.resolve(),
    checkout: () => Promise.resolve(lease),
    close: () => Promise.resolve(void log.push(`${name} closed`)),
  });
  return {
    name: 'fake',
    openWitness: () =>
      Promise.resolve({
        server: 'Fake 1',
        room: () => Promise.resolve({ free: 20, because: 'it says so' }),
        countConnections: () => Promise.resolve(7),
        close: () => Promise.resolve(void log.push('witness closed')),
      }),
    openShared: ({ label }) => subject(label.split(' ')[1] ?? ''),
    openPartitioned: ({ label }) => subject(label.split(' ')[1] ?? label),
    classify: () => 'failed',
    cannotConnect: (error) => new Error('cannot connect', { cause: error }),
    ...changes,
  };
}

const short = {
  ...monthEnd,
  phases: [{ name: 'only', durationMillis: 2_000, partitions: ['order', 'search'] }],
};
const play = (options: Partial<RehearseOptions>) =>
  rehearse({ driver: driver(), url: 'fake:', scenario: short, timeScale: 0.1, ...options });

describe('a rehearsal', () => {
  test('plays shared, baseline, partitioned, one after the other, and closes each', async () => {
    const log: string[] = [];
    const result = await play({
      driver: driver({}, log),
      onProgress(progress) {
        if (progress.kind === 'run started') log.push(`${progress.run} ${progress.index + 1}/3`);
      },
    });
    const runs = log.filter((line) => !line.startsWith('check'));
    // A busy machine may have a run played again.
    expect([...new Set(runs)]).toEqual([
      'shared 1/3',
      'shared closed',
      'baseline 2/3',
      'baseline closed',
      'partitioned 3/3',
      'partitioned closed',
      'witness closed',
    ]);
    expect(result).toMatchObject({ server: 'Fake 1', driver: 'fake', max: 20, met: false });
    expect(result.runs.map(({ serverPeak }) => serverPeak)).toEqual([7, 7, 7]);
  });

  test('records the seed with which the same arrivals come again, if any are random', async () => {
    const workloads = short.workloads.map((workload) =>
      workload.kind === 'arrivals' ? { ...workload, pattern: 'poisson' as const } : workload,
    );
    const offered = ({ runs }: Rehearsal): unknown[] =>
      runs.map(({ partitions }) => partitions['order']?.offered);
    const random = await play({ scenario: { ...short, workloads } });
    expect(random.seed).toEqual(expect.any(Number));
    const again = await play({ scenario: { ...short, workloads }, seed: random.seed as number });
    expect(again.seed).toBe(random.seed);
    expect(new Set([...offered(random), ...offered(again)]).size).toBe(1);
    expect(await play({ seed: 7 })).not.toHaveProperty('seed');
  });

  test('whose machine stood still is void: however good it looks, it is not met', async () => {
    const clock = new FakeClock();
    let holds = 0;
    const lease: RehearsalLease = {
      // In time all the same: an answer may take 100 ms.
      hold: () => Promise.resolve(void (++holds % 100 === 50 && clock.stall(50))),
      run: () => Promise.resolve(),
      release: () => undefined,
    };
    const subject = (checkout: Subject['checkout']) => (): Subject => ({
      warmUp: () => Promise.resolve(),
      checkout,
      close: () => Promise.resolve(),
    });
    const changes = {
      openShared: subject(() => Promise.reject(new Error('starved'))),
      openPartitioned: subject(() => Promise.resolve(lease)),
    };
    const playing = play({ driver: driver(changes), clock });
    await clock.advance(60_000);
    const { runs, objectives, ...result } = await playing;
    expect(objectives.filter(({ met }) => !met)).toEqual([]);
    expect(runs.map((run) => [run.name, run.void, run.attempts])).toEqual([
      ['shared', false, 1],
      ['baseline', true, 3],
      ['partitioned', true, 3],
    ]);
    expect([result.void, result.met]).toEqual([true, false]);
    expect(clock.pending).toBe(0);
  });

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'of %s is the same after it was written and read, also with an endless line',
    async (_, scenario) => {
      const clock = new FakeClock();
      const open = (): Subject => new FakeSubject(clock, scenario.max);
      const playable = driver({ openShared: open, openPartitioned: open });
      const endless = Object.entries(scenario.partitions).map(([name, partition]) => [
        name,
        { ...partition, maxWaiting: Infinity },
      ]);
      for (const partitions of [scenario.partitions, Object.fromEntries(endless)]) {
        const phases = scenario.phases.map((phase) => ({ ...phase, durationMillis: 500 }));
        const playing = play({
          driver: playable,
          scenario: { ...scenario, phases },
          max: scenario.max,
          partitions,
          clock,
        });
        await clock.advance(60_000);
        const result = await playing;
        expect(JSON.parse(document(result))).toEqual(result);
      }
    },
  );

  test('leaves out of the baseline what disturbs', async () => {
    const workloads = short.workloads.map((workload) =>
      workload.partition === 'search' ? { ...workload, disturbs: true } : workload,
    ) as Workload[];
    const { runs } = await play({ scenario: { ...short, workloads } });
    expect(runs.map(({ partitions }) => Object.keys(partitions))).toEqual([
      ['order', 'search', 'batch'],
      ['order'],
      ['order', 'search', 'batch'],
    ]);
  });

  test('that is aborted closes everything and rejects with the reason', async () => {
    const log: string[] = [];
    const abort = new AbortController();
    const reason = new Error('enough');
    const played = play({
      driver: driver({}, log),
      signal: abort.signal,
      onProgress: ({ kind }) => kind === 'tick' && abort.abort(reason),
    });
    await expect(played).rejects.toBe(reason);
    expect(log.slice(1)).toEqual(['shared closed', 'witness closed']);
  });

  test('ends when the witness loses its connection', async () => {
    const log: string[] = [];
    const usual = driver({}, log);
    const losing = async () => ({
      ...(await usual.openWitness('')),
      countConnections: () => Promise.reject(new Error('terminated')),
    });
    await expect(play({ driver: driver({ openWitness: losing }, log) })).rejects.toThrow('lost');
    expect(log.slice(1)).toEqual(['shared closed', 'witness closed']);
  });

  test('ends when the pool cannot open its connections', async () => {
    const refused: Subject = {
      ...(await driver().openShared({
        url: '',
        label: 'a shared',
        max: 1,
        acquireTimeoutMillis: 1,
      })),
      warmUp: () => Promise.reject(new Error('too many clients')),
    };
    await expect(play({ driver: driver({ openShared: () => refused }) })).rejects.toThrow(
      'cannot connect',
    );
  });

  test('does not start on a server that is too small, and says its figures', async () => {
    const log: string[] = [];
    await expect(play({ driver: driver({}, log), max: 21 })).rejects.toThrow(
      /needs 21 connections, the server has 20 left for it \(it says so/,
    );
    expect(log.slice(1)).toEqual(['witness closed']);
  });

  test.each<[Partial<RehearseOptions>, RegExp]>([
    [{ timeScale: 0 }, /timeScale: expected a number from 0.02 to 1, got 0/],
    [{ timeScale: Number.NaN }, /timeScale/],
    [{ partitions: { order: { size: 1 } } }, /month-end has order, search, batch, got order/],
    [
      { partitions: { ...monthEnd.partitions, extra: { size: 1 } } },
      /got order, search, batch, extra/,
    ],
  ])('refuses %p', async (options, words) => {
    await expect(play(options)).rejects.toThrow(words);
  });
});
