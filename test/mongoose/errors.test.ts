import { expect, test } from '@jest/globals';
import { isAcquireTimeoutError, runIn } from '../../src/index.ts';
import {
  describeBoth,
  inUse,
  openDivided,
  openServer,
  rejection,
  serverUrl,
  slow,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const options = {
  partitions: { order: 2, batch: { size: 1, acquireTimeoutMillis: 40, maxWaiting: 1 } },
  defaultPartition: 'order',
} as const;

describeBoth('an operation that waited too long', (mongoose) => {
  test('is told by whom the partition is held, in the words of the driver first', async () => {
    const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const held = runIn('batch', () => slow(connection, 100), { label: 'invoices' });
    await until(() => partitioned.isFull('batch'));
    const Thing = thingOf(partitioned.partition('batch'));
    const error = await rejection(Thing.find({ name: 'secret' }));
    expect(isAcquireTimeoutError(error)).toBe(true);
    expect(error.message).toMatch(
      /^Timed out while checking out a connection from connection pool: partition 'batch' waited \d+ ms, in use 1 of 1, waiting 1; longest held \d+ ms by 'invoices', command find, ns test\.things, connectionId \d+; would have been admitted by more than partitions\.batch\.size = 1$/,
    );
    expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '1' }, step: 'waiting' });
    expect(JSON.stringify(error)).not.toContain('secret');
    await held;
  });

  test('is refused at once when the line is full', async () => {
    const { partitioned } = await openDivided(mongoose, await serverUrl(), {
      partitions: { batch: { size: 1, maxWaiting: 1 } },
    });
    const batch = partitioned.partition('batch');
    const held = slow(batch, 30);
    await until(() => partitioned.isFull('batch'));
    const waiting = thingOf(batch).find().exec();
    expect(await rejection(thingOf(batch).find())).toMatchObject({
      code: 'ERR_PARTITION_FULL',
      message: expect.stringMatching(/^Too many operations are waiting for a connection/),
    });
    await Promise.all([held, waiting]);
  });

  test('has an error that the driver may ask for labels, and has none', async () => {
    const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), {
      partitions: options.partitions,
    });
    const batch = partitioned.partition('batch');
    const held = slow(batch, 80);
    await until(() => partitioned.isFull('batch'));
    const errors = await Promise.all([
      rejection(thingOf(batch).find()),
      rejection(thingOf(connection).find()),
      rejection(runIn('bach', () => thingOf(connection).find())),
    ]);
    for (const error of errors) {
      const { hasErrorLabel } = error as unknown as { hasErrorLabel(label: string): boolean };
      expect(hasErrorLabel.call(error, 'TransientTransactionError')).toBe(false);
      expect(Object.keys(error)).not.toContain('hasErrorLabel');
    }
    expect(errors.map(({ code }) => code)).toEqual([
      'ERR_ACQUIRE_TIMEOUT',
      'ERR_NO_PARTITION',
      'ERR_UNKNOWN_PARTITION',
    ]);
    await held;
  });

  testWith('ownServer')('is not sent again, and the pool is not cleared', async () => {
    const server = await openServer();
    const { connection, partitioned } = await openDivided(mongoose, server.url, options);
    const cleared: unknown[] = [];
    connection.getClient().on('connectionPoolCleared', (event) => cleared.push(event));
    const batch = partitioned.partition('batch');
    const held = slow(batch, 120);
    await until(() => partitioned.isFull('batch'));
    await rejection(thingOf(batch).find({ name: 'late' }));
    await thingOf(connection).find();
    await held;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(cleared).toEqual([]);
    expect(partitioned.stats().totals['batch']?.counters).toMatchObject({
      requested: 2,
      granted: 1,
      timedOut: 1,
    });
    expect(server.log.entries.filter(({ command }) => command['filter']?.name)).toEqual([]);
  });
});

describeBoth('a signal', (mongoose) => {
  const reason = new Error('the caller has gone');

  test('ends the wait in line at once, with its reason', async () => {
    const { partitioned } = await openDivided(mongoose, await serverUrl(), options);
    const batch = partitioned.partition('batch');
    const held = slow(batch, 40);
    await until(() => partitioned.isFull('batch'));
    const controller = new AbortController();
    const waiting = rejection(thingOf(batch).find().setOptions({ signal: controller.signal }));
    await until(() => partitioned.stats().totals['batch']?.gauges.waiting === 1);
    controller.abort(reason);
    expect(await waiting).toBe(reason);
    expect(partitioned.isFull('batch')).toBe(true);
    expect(partitioned.stats().totals['batch']?.counters.aborted).toBe(1);
    await held;
    expect(inUse(partitioned)).toBe(0);
  });

  testWith('ownServer')('gives the permit back, in the connect and on the way', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const order = partitioned.partition('order');
    await thingOf(order).find();
    const abortIn = async (millis: number, call: (signal: AbortSignal) => Promise<unknown>) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), millis);
      return rejection(call(controller.signal));
    };
    const onTheWay = await abortIn(20, (signal) =>
      thingOf(order).find().comment('sleep:500').setOptions({ signal }).exec(),
    );
    expect(onTheWay).toBe(reason);
    server.faults.connectMillis = 60;
    const inConnect = await abortIn(20, (signal) =>
      thingOf(order).find().setOptions({ signal }).exec(),
    );
    expect(inConnect).toBe(reason);
    await until(() => inUse(partitioned) === 0);
    await thingOf(order).find();
  });
});

describeBoth('the server', (mongoose) => {
  testWith('ownServer')('that ends a slow command costs no connection', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const order = partitioned.partition('order');
    await thingOf(order).find();
    const { accepted } = server;
    const error = await rejection(thingOf(order).find().comment('sleep:100').maxTimeMS(10).exec());
    expect(error).toMatchObject({ code: 50, name: 'MongoServerError' });
    await thingOf(order).find();
    expect(server.accepted).toBe(accepted);
    expect(inUse(partitioned)).toBe(0);
  });

  testWith('ownServer')(
    'that drops a connection is asked again, within the partition',
    async () => {
      const server = await openServer();
      const { partitioned } = await openDivided(mongoose, server.url, options);
      const batch = partitioned.partition('batch');
      await thingOf(batch).create({ n: 1 });
      server.faults.add({ command: 'find', times: 1, drop: true });
      expect(await thingOf(batch).find()).toHaveLength(1);
      expect(server.log.count('find')).toBe(2);
      expect(partitioned.stats().totals['batch']?.counters).toMatchObject({
        granted: 3,
        failed: 0,
      });
      expect(inUse(partitioned)).toBe(0);
    },
  );
});
