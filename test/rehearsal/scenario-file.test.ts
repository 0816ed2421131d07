import { readFileSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readScenarioFile } from '../../rehearsal/scenario-file.ts';
import { totalMillis } from '../../rehearsal/scenario.ts';
import { scenarios } from '../../scenarios/index.ts';
import { folder } from '../config/folder.ts';
import {
  accepts,
  api,
  etl,
  least,
  read,
  withApi,
  withEtl,
  withPhase,
} from './scenario-file-texts.ts';

describe('the shipped scenarios', () => {
  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    '%s passes the checks of a file and the schema, without a warning',
    (_, scenario) => {
      const text = JSON.stringify(scenario);
      expect(accepts(JSON.parse(text))).toBe(true);
      expect(read(text)).toEqual({ scenario, said: [] });
      // A minute at the default scale, with the time that the lines take to drain.
      expect(totalMillis(scenario)).toBeLessThanOrEqual(160_000);
    },
  );

  test('have names of their own', () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });
});

describe('a scenario file', () => {
  test('as the documentation shows one is in order', () => {
    const [, example = ''] = /^```json\n(.*?)^```$/ms.exec(
      readFileSync('docs/rehearsal.md', 'utf8'),
    ) as RegExpExecArray;
    expect(read(example).said).toEqual([]);
    expect(accepts(JSON.parse(example))).toBe(true);
  });

  test('lacks what is not there, by its first line or that of what it should stand in', () => {
    expect(read('{\n  "phases": [{\n  }]\n}').said).toEqual([
      'mine.json:1: max: missing; expected an integer from 1 up',
      'mine.json:1: partitions: missing; expected an object of partitions by name',
      'mine.json:1: workloads: missing; expected a list',
      'mine.json:1: name: missing; expected letters, digits, - and _',
      'mine.json:1: description: missing; expected a text',
      'mine.json:2: phases.0.partitions: missing; expected a list',
      'mine.json:2: phases.0.name: missing; expected a text',
      'mine.json:2: phases.0.durationMillis: missing; expected a number above 0',
    ]);
  });

  test('needs little, and the rest has defaults', () => {
    expect(read(JSON.stringify(least)).scenario).toEqual({
      ...least,
      partitions: {
        api: { size: 3, acquireTimeoutMillis: 2_000 },
        etl: { size: 1, acquireTimeoutMillis: 2_000 },
      },
      disturbance: 'etl',
      sharedAcquireTimeoutMillis: 60_000,
      limits: {
        answeredInTime: 0.999,
        p99AgainstBaseline: 1.2,
        guaranteedReports: 0.9,
        starvedBelow: 0.5,
      },
    });
  });

  test('cannot ask for more than one process can play', () => {
    const many = {
      ...least,
      workloads: [
        { ...api, ratePerSecond: 1e7 },
        { ...etl, workers: 1e6 },
      ],
    };
    expect(read(JSON.stringify(many, null, 1)).said).toEqual([
      expect.stringMatching(
        /ratePerSecond: [\d,]+ requests in \S+ s; at most 1,000,000 can be played/,
      ),
      expect.stringMatching(/workers: expected at most 10000, got 1000000$/),
    ]);
  });

  test('tells every fault at once, in the order of the lines', () => {
    const text = `{
  "name": "mine", "description": "", "durationMillis": 5,
  "max": 4,
  "partitions": {
    "api": { "sise": 3 },
    "etl": 2, "spare": 1
  },
  "phases": [
    { "name": "all", "durationMillis": 0, "partitions": ["apy", "etl"] },
    {
      "name": "slow", "durationMillis": 10,
      "partitions": [
        "etl",
        "ettl"
      ],
      "holdMillis": { "api": 5 }
    }
  ],
  "workloads": [
    {
      "kind": "arrivals", "partition": "api", "holdMillis": -1,
      "ratePerSecond": 0, "answerWithinMillis": 500, "pattern": "steddy",
      "retry": { "afterMillis": -1 }
    },
    {
      "kind": "workers", "partition": "etl", "workers": 1.5, "holdMillis": 900, "comeBackMillis": 1,
      "leak": { "share": 2 },
      "limits": { "answeredInTime": 0.9 },
      "sql": []
    },
    { "kind": "workers", "partition": "etl", "workers": 1, "holdMillis": 900, "comeBackMillis": 1 }
  ]
}`;
    expect(read(text)).toEqual({
      scenario: undefined,
      said: [
        'mine.json:2: durationMillis: unknown option; there are $schema, name, description, disturbance, max, partitions, phases, workloads, sharedAcquireTimeoutMillis, limits',
        "mine.json:2: description: expected a text, got ''",
        "mine.json:5: partitions.api.sise: unknown option; did you mean 'size'?",
        'mine.json:5: partitions.api.size: missing; expected an integer from 0 up',
        'mine.json:6: partitions.spare: there is no workload for it',
        "mine.json:9: phases.0.partitions.0: there is no 'apy'; did you mean 'api'?",
        'mine.json:9: phases.0.durationMillis: expected a number above 0, got 0',
        "mine.json:14: phases.1.partitions.1: there is no 'ettl'; did you mean 'etl'?",
        'mine.json:16: phases.1.holdMillis.api: unknown option; there are etl, ettl',
        'mine.json:21: workloads.0.holdMillis: expected a number above 0, got -1',
        'mine.json:22: workloads.0.ratePerSecond: expected a number above 0, got 0',
        "mine.json:22: workloads.0.pattern: there is no 'steddy'; did you mean 'steady'?",
        'mine.json:23: workloads.0.retry.afterMillis: expected a number from 0 up, got -1',
        'mine.json:23: workloads.0.retry.times: missing; expected an integer from 1 up',
        'mine.json:26: workloads.1.workers: expected an integer from 1 up, got 1.5',
        'mine.json:27: workloads.1.leak.share: expected a share above 0, at most 1, got 2',
        'mine.json:28: workloads.1.limits.answeredInTime: unknown option; there are guaranteedReports',
        'mine.json:29: workloads.1.sql: expected at least one, the list is empty',
        'mine.json:31: workloads.2.partition: expected one workload for each partition',
      ],
    });
  });

  test.each<[string, object, RegExp]>([
    ['sizes that do not fit', { ...least, max: 3 }, /partitions: the sizes add up to 3 \+ 1 = 4/],
    [
      'nobody who disturbs',
      withEtl({ ...api, partition: 'etl', workers: undefined, comeBackMillis: undefined }),
      /workloads: nothing disturbs/,
    ],
    ['nobody to protect', withApi({ disturbs: true }), /workloads: nobody is protected/],
  ])('with %s is a fault', (_, given, words) => {
    expect(read(JSON.stringify(given)).said).toEqual([expect.stringMatching(words)]);
  });

  test('with a misspelt kind has no faults that follow from it', () => {
    expect(read(JSON.stringify(withEtl({ kind: 'worker' }))).said).toEqual([
      "mine.json:1: workloads.1.kind: there is no 'worker'; did you mean 'workers'?",
    ]);
  });

  test.each<[string, object, string[]]>([
    [
      'that is misspelt',
      {
        kind: 'worker',
        workers: undefined,
        comeBackMillis: undefined,
        holdMilis: 5,
        holdMillis: -1,
      },
      [
        "kind: there is no 'worker'; did you mean 'workers'?",
        "holdMilis: unknown option; did you mean 'holdMillis'?",
        'workers: missing; expected an integer from 1 up',
        'holdMillis: expected a number above 0, got -1',
        'comeBackMillis: missing; expected a number above 0',
      ],
    ],
    [
      'that is told by its members',
      { kind: 'jobs', workers: 0, leak: {} },
      [
        "kind: expected one of arrivals, workers, got 'jobs'",
        'workers: expected an integer from 1 up, got 0',
        'leak: expected either a share or afterReports',
      ],
    ],
    [
      'that nothing tells',
      { kind: 5, workers: undefined, comeBackMillis: undefined, holdMillis: 'long', sql: '', x: 1 },
      [
        'kind: expected one of arrivals, workers, got 5',
        'x: unknown option; there are ',
        "holdMillis: expected a number above 0, got 'long'",
        "sql: expected a text, got ''",
      ],
    ],
  ])('with a wrong kind, %s, hides no other fault of the workload', (_, changes, wanted) => {
    const { said } = read(JSON.stringify(withEtl(changes)));
    expect(said).toEqual(
      wanted.map((fault) => expect.stringContaining(`mine.json:1: workloads.1.${fault}`)),
    );
  });

  test('with a misspelt partition has no faults that follow from it', () => {
    expect(read(JSON.stringify(withApi({ partition: 'apy' }))).said).toEqual([
      "mine.json:1: workloads.0.partition: there is no 'apy'; did you mean 'api'?",
    ]);
    expect(read(JSON.stringify(withPhase({ partitions: ['apy', 'etl'] }))).said).toEqual([
      "mine.json:1: phases.0.partitions.0: there is no 'apy'; did you mean 'api'?",
    ]);
  });

  test('with a workload that is none has no faults that follow from it', () => {
    expect(read(JSON.stringify({ ...least, workloads: [api, null] })).said).toEqual([
      'mine.json:1: workloads.1: expected an object, got null',
    ]);
  });

  test('with nobody to protect and another fault is told both', () => {
    expect(read(JSON.stringify({ ...withApi({ disturbs: true }), max: 3 })).said).toEqual(
      [
        expect.stringContaining('nobody is protected'),
        expect.stringContaining('the sizes add up to'),
      ].toReversed(),
    );
  });

  test('with a name twice in one object is told both lines', () => {
    const text = JSON.stringify(least, null, 1)
      .replace('"max": 4,', '"max": 3,\n "max": 4,')
      .replace('"workers": 4', '"workers": 4, "workers": 5');
    expect(read(text).said).toEqual([
      'mine.json:5: max: given twice, in line 4 and in line 5',
      expect.stringMatching(/mine\.json:\d+: workloads\.1\.workers: given twice in this line$/),
    ]);
  });

  test('with a partition that is too small for its own load is a warning', () => {
    const { scenario, said } = read(JSON.stringify(withApi({ ratePerSecond: 35 }), null, 1));
    expect(scenario?.name).toBe('mine');
    expect(said).toEqual([
      "mine.json:20: workloads.0: 35/s x 100 ms need 3.5 connections, the size of 'api' is 3",
    ]);
  });

  test('that is not JSON, or not there, is told with the place', () => {
    expect(read('{\n  "name": "mine",\n  oops\n}').said).toEqual([
      expect.stringMatching(/^mine\.json:3: this is not JSON: /),
    ]);
    const missing = '/nonexistent/mine.json';
    expect(readScenarioFile(missing).faults).toEqual([`${missing}: there is no such file`]);
    using made = folder();
    const loop = `${made.path}/loop.json`;
    symlinkSync('loop.json', loop);
    expect(readScenarioFile(loop).faults).toEqual([
      `${loop}: it cannot be read: it is a loop of symbolic links`,
    ]);
  });
});
