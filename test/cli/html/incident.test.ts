import { describe, expect, test } from '@jest/globals';
import { incident } from '../../../cli/html/incident.ts';
import type { Scenario } from '../../../rehearsal/index.ts';
import { leakyClient } from '../../../scenarios/leaky-client.ts';
import { monthEnd } from '../../../scenarios/month-end.ts';
import { nightlyEtl } from '../../../scenarios/nightly-etl-with-transactions.ts';
import { slowSearch } from '../../../scenarios/slow-search.ts';
import { thunderingRetry } from '../../../scenarios/thundering-retry.ts';
import { scenarios } from '../../../scenarios/index.ts';
import { fakeReport } from './fake-report.ts';

const report = fakeReport();

/** What is told of a scenario that was played with its own partitions. */
function told(scenario: Scenario, driver = 'pg'): string {
  const { partitions, max } = scenario;
  const rehearsal = { ...report.rehearsal, driver, max };
  return incident({ ...report, rehearsal, scenario, partitions })
    .text.replaceAll(/<[^>]+>/g, '')
    .replaceAll('\u00A0', ' ');
}

describe('what was played is told to people who do not read code:', () => {
  test('requests that come at their times', () => {
    expect(told(monthEnd)).toContain(
      'order: 40 requests a second, evenly spaced, all the time. Each needs a connection for 150 ms, and an ' +
        'answer after more than 1 s counts for nothing.\n',
    );
  });

  test('workers, when they come and what goes wrong', () => {
    expect(told(monthEnd)).toContain(
      'batch: 15 workers from 0:10 to 2:10. Each takes a connection, keeps it, and runs one report of 5 s after ' +
        'the other on it. One that gets no connection comes back after 5 s. This is what goes wrong.',
    );
    expect(told(monthEnd, 'mongoose')).toContain(
      'Each runs one report of 5 s after the other, and takes a connection anew for each.',
    );
  });

  test('a phase that has holds of its own', () => {
    expect(told(slowSearch)).toContain(
      'Each needs a connection for 100 ms (2 s in the phase slow plan), and',
    );
  });

  test('a campaign of callers who come at random, and again when they get no connection', () => {
    expect(told(thunderingRetry)).toContain(
      'campaign: About 30 requests a second at random, as callers come who know nothing of each other, from 0:10 ' +
        'to 1:10. Each needs a connection for 600 ms, and an answer after more than 2 s counts for nothing. Who gets ' +
        'no connection comes again at once, up to 3 times. This is what goes wrong.',
    );
    expect(told(thunderingRetry)).toContain('campaign up to 500 ms in a line of at most 20.');
  });

  test('leaks', () => {
    expect(told(leakyClient)).toContain(
      'Each runs one report of 1 s after the other, and takes a connection anew for each. After every 3 reports it ' +
        'forgets to give the connection back: that stays taken until the run is over.',
    );
  });

  test('transactions', () => {
    expect(told(nightlyEtl)).toContain('runs one transaction of 8 s after the other on it.');
  });
});

/** Has what no shipped scenario has. */
const own: Scenario = {
  ...monthEnd,
  partitions: {
    shop: { size: 7, acquireTimeoutMillis: 300, maxWaiting: 30 },
    import: { size: 3, acquireTimeoutMillis: 0 },
    export: { size: 1, acquireTimeoutMillis: 50, maxWaiting: Infinity },
  },
  phases: [
    { name: 'one', durationMillis: 10_000, partitions: ['shop', 'export', 'import'] },
    {
      name: 'two',
      durationMillis: 20_000,
      partitions: ['shop', 'import', 'export'],
      holdMillis: { import: 700, shop: 90 },
    },
    { name: 'three', durationMillis: 30_000, partitions: ['shop', 'import', 'export'] },
  ],
  workloads: [
    {
      ...{ kind: 'arrivals', partition: 'shop', ratePerSecond: 0.5, holdMillis: 80 },
      ...{ answerWithinMillis: 900, retry: { afterMillis: 20, times: 1 }, sql: 'select 1' },
    },
    {
      ...{ kind: 'workers', partition: 'import', workers: 6, holdMillis: 500 },
      ...{ comeBackMillis: 800, leak: { share: 0.1 }, sql: ['select 2', 'select 3'] },
    },
    {
      ...{ kind: 'workers', partition: 'export', workers: 1, holdMillis: 600 },
      ...{ comeBackMillis: 400, transaction: true },
    },
  ],
};

interface Leaf {
  readonly path: string;
  /** The scenario with another value there. */
  readonly changed: Scenario;
}

/** Every single value of a scenario from which something of the load depends. */
function leavesOf(scenario: Scenario): Leaf[] {
  const { max, phases, workloads, partitions, sharedAcquireTimeoutMillis } = scenario;
  const load = { max, phases, workloads, partitions, sharedAcquireTimeoutMillis };
  // Sizes are told where the runs are, names of partitions would have to change together.
  const elsewhere = /\.(size|kind|partition|partitions\.\d+)$/;
  return pathsOf(load)
    .filter((path) => !elsewhere.test(path.join('.')))
    .map((path) => ({ path: path.join('.'), changed: change(scenario, path) }));
}

type Path = readonly string[];

const pathsOf = (value: unknown, path: Path = []): Path[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, each]) => pathsOf(each, [...path, key]))
    : [path];

function change(scenario: Scenario, path: Path): Scenario {
  const copy = structuredClone(scenario);
  const key = path.at(-1) ?? '';
  const parent = path
    .slice(0, -1)
    .reduce<object>((at, each) => Reflect.get(at, each) as object, copy);
  Reflect.set(parent, key, another(Reflect.get(parent, key)));
  return copy;
}

function another(value: unknown): unknown {
  if (typeof value === 'number') return value === Infinity ? 5 : value * 2 + 1;
  if (typeof value === 'boolean') return !value;
  return value === 'poisson' ? 'steady' : `other ${String(value)}`;
}

describe.each([...scenarios, { ...own, name: 'one of a file' }])('of $name', (scenario) => {
  test.each(leavesOf(scenario))('$path is told', ({ changed }) => {
    expect(told(changed)).not.toBe(told(scenario));
  });

  test.each(scenario.phases.map(({ name }, index) => ({ name, index })))(
    'who is there in the phase $name is told',
    ({ index }) => {
      for (const { partition } of scenario.workloads) {
        const phases = scenario.phases.map((phase, each) =>
          each === index ? { ...phase, partitions: toggled(phase.partitions, partition) } : phase,
        );
        expect(told({ ...scenario, phases })).not.toBe(told(scenario));
      }
    },
  );
});

const toggled = (names: readonly string[], name: string): string[] =>
  names.includes(name) ? names.filter((each) => each !== name) : [...names, name];
