import { describe, expect, test } from '@jest/globals';
import { accepts, least, read, withApi, withEtl, withPhase } from './scenario-file-texts.ts';

describe('the schema agrees with what is read', () => {
  const verdicts = (given: object): [boolean, boolean] => [
    accepts(given),
    read(JSON.stringify(given)).scenario !== undefined,
  ];

  test.each<object>([
    least,
    { $schema: './schema.json', ...least, disturbance: 'loads', sharedAcquireTimeoutMillis: 1 },
    { ...least, limits: { answeredInTime: 0.9, starvedBelow: 1 } },
    {
      ...least,
      partitions: { api: { size: 2, max: 3, maxWaiting: 0, acquireTimeoutMillis: 0 }, etl: 1 },
    },
    withPhase({ holdMillis: { api: 200 } }),
    withApi({ pattern: 'poisson', retry: { afterMillis: 0, times: 1 }, disturbs: false }),
    withApi({ sql: 'select 1', limits: { p99AgainstBaseline: 2 } }),
    withEtl({ leak: { share: 1 }, transaction: true, sql: ['select 1', 'select 2'] }),
    withEtl({ leak: { afterReports: 1 }, limits: { guaranteedReports: 0.1 } }),
  ])('on what is right: %j', (given) => {
    expect(verdicts(given)).toEqual([true, true]);
  });

  test.each<object>([
    [],
    { ...least, name: 'two words' },
    { ...least, name: undefined },
    { ...least, description: ' ' },
    { ...least, disturbance: 1 },
    { ...least, max: 0 },
    { ...least, max: undefined },
    { ...least, partitions: {} },
    { ...least, partitions: { api: { sise: 3 }, etl: 1 } },
    { ...least, partitions: { api: { size: 3, acquireTimeoutMillis: 60_000 }, etl: 1 } },
    { ...least, phases: [] },
    { ...least, phases: {} },
    { ...least, workloads: [] },
    { ...least, workloads: [1] },
    { ...least, sharedAcquireTimeoutMillis: 0 },
    { ...least, limits: { answered: 1 } },
    { ...least, limits: { starvedBelow: 50 } },
    { ...least, seed: 1 },
    withPhase({ durationMillis: 0 }),
    withPhase({ partitions: [] }),
    withPhase({ holdMillis: { api: 0 } }),
    withPhase({ length: 1 }),
    withApi({ kind: 'arrival' }),
    withApi({ kind: undefined }),
    withApi({ ratePerSecond: 0 }),
    withApi({ ratePerSecond: '10' }),
    withApi({ answerWithinMillis: undefined }),
    withApi({ pattern: 'bursts' }),
    withApi({ retry: { afterMillis: 1, times: 0 } }),
    withApi({ retry: { times: 1 } }),
    withApi({ disturbs: 'yes' }),
    withApi({ workers: 1 }),
    withApi({ limits: { guaranteedReports: 0.5 } }),
    withApi({ sql: '' }),
    withEtl({ workers: 0 }),
    withEtl({ comeBackMillis: 0 }),
    withEtl({ leak: {} }),
    withEtl({ leak: { share: 0.5, afterReports: 1 } }),
    withEtl({ leak: { share: 0 } }),
    withEtl({ transaction: 1 }),
    withEtl({ retry: { afterMillis: 1, times: 1 } }),
    withEtl({ sql: [''] }),
  ])('on what is wrong: %j', (given) => {
    expect(verdicts(given)).toEqual([false, false]);
  });
});
