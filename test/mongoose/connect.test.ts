import { describe, expect, test } from '@jest/globals';
import mongoose9 from 'mongoose';
import { partitionConnection } from '../../drivers/mongoose/index.ts';
import { runIn } from '../../src/index.ts';
import {
  closeAfterTest,
  describeBoth,
  grantsDuring,
  inUse,
  open,
  openDivided,
  openServer,
  rejection,
  serverUrl,
  slow,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const partitions = { order: 2, batch: 2 };
const defaultPartition = 'order';

describeBoth('a connection is divided', (mongoose) => {
  test('before it connects, and what was asked for meanwhile is in its partition', async () => {
    const connection = open(mongoose, await serverUrl());
    const partitioned = partitionConnection(connection, { partitions, defaultPartition });
    const granted = await grantsDuring(partitioned, async () => {
      await thingOf(partitioned.partition('batch')).find();
      await thingOf(connection).find();
    });
    expect(granted).toEqual({ batch: 1, order: 1 });
  });

  test('after it has connected', async () => {
    const connection = open(mongoose, await serverUrl());
    await thingOf(connection).find();
    const partitioned = partitionConnection(connection, { partitions, defaultPartition });
    const granted = await grantsDuring(partitioned, () =>
      runIn('batch', () => thingOf(connection).find()),
    );
    expect(granted).toEqual({ batch: 1 });
  });

  test('before it is opened, and again when it is closed and opened', async () => {
    const url = await serverUrl();
    const connection = mongoose.createConnection();
    closeAfterTest(() => connection.close(true));
    const partitioned = partitionConnection(connection, { partitions, defaultPartition });
    const handle = partitioned.partition('batch');
    for (let times = 0; times < 2; times++) {
      await connection.openUri(url, { maxConnecting: 9 });
      const granted = await grantsDuring(partitioned, async () => {
        await thingOf(connection).find();
        await thingOf(handle).find();
      });
      expect(granted).toEqual({ order: 1, batch: 1 });
      await connection.close();
    }
  });

  test('and is not opened when the sizes do not fit', async () => {
    const connection = mongoose.createConnection();
    connection.on('error', () => {});
    partitionConnection(connection, { partitions });
    const error = await rejection(connection.openUri(await serverUrl(), { maxPoolSize: 3 }));
    expect(error.message).toContain('2 + 2 = 4, more than maxPoolSize 3 less finishReserve 1 = 2');
  });

  test('until that is undone: the client is as it was, those in line are served', async () => {
    const { connection, partitioned } = await openDivided(mongoose, await serverUrl(), {
      partitions,
      defaultPartition,
    });
    const client = connection.getClient();
    const [handle, before] = [partitioned.partition('batch'), client.eventNames().length];
    await thingOf(handle).find();
    const long = Array.from({ length: 5 }, () => slow(handle, 30));
    await until(() => partitioned.stats().totals['batch']?.gauges.waiting === 3);
    partitioned.uninstall();
    await Promise.all(long);
    await thingOf(handle).find();
    await thingOf(connection).find();
    const { servers } = (
      client as unknown as { topology: { s: { servers: Map<string, { pool: object }> } } }
    ).topology.s;
    for (const server of servers.values()) {
      expect(Object.keys(server)).not.toContain('command');
      expect(Object.keys(server.pool)).not.toContain('checkOut');
      expect(Object.keys(server.pool)).not.toContain('checkIn');
    }
    expect(Object.getOwnPropertySymbols(client).map(String)).not.toContain(
      'Symbol(watertight.divided)',
    );
    expect(client.eventNames().length).toBeLessThan(before);
    expect(Object.getOwnPropertyDescriptor(connection, 'client')?.value === client).toBe(true);
    expect(partitioned.stats().servers).toEqual({});
  });

  test('for as long as a using block', async () => {
    const connection = open(mongoose, await serverUrl());
    await connection.asPromise();
    await partitionConnection(connection, { partitions })[Symbol.asyncDispose]();
    await thingOf(connection).find();
    partitionConnection(connection, { partitions }).uninstall();
  });
});

describeBoth('an operation', (mongoose) => {
  test('outside any runIn, without a default, is told so and not sent', async () => {
    const { connection } = await openDivided(mongoose, await serverUrl(), { partitions });
    expect(await rejection(thingOf(connection).find())).toMatchObject({ code: 'ERR_NO_PARTITION' });
    expect(await rejection(runIn('bach', () => thingOf(connection).find()))).toMatchObject({
      code: 'ERR_UNKNOWN_PARTITION',
      message: "unknown partition 'bach' in runIn; there are: 'order', 'batch'",
    });
  });

  testWith('ownServer')('has one deadline, for the line and the connect together', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, {
      partitions: { order: { size: 2, acquireTimeoutMillis: 40 } },
    });
    const order = partitioned.partition('order');
    await thingOf(order).find();
    server.faults.connectMillis = 120;
    // The connection that is there already, and one that is still to be opened.
    const [long, error] = await Promise.all([slow(order, 100), rejection(slow(order, 1))]);
    expect(long).toBeNull();
    expect(error).toMatchObject({ code: 'ERR_ACQUIRE_TIMEOUT', step: 'connecting' });
  });

  testWith('ownServer')(
    'that gave up leaves its connect, and the permit, to the next',
    async () => {
      const server = await openServer();
      const { partitioned } = await openDivided(mongoose, server.url, {
        partitions: { order: { size: 2, acquireTimeoutMillis: 60 } },
      });
      const order = partitioned.partition('order');
      await thingOf(order).find();
      const held = slow(order, 150);
      server.faults.connectMillis = 100;
      await rejection(thingOf(order).find());
      const { gauges } = partitioned.stats().totals['order'] ?? {};
      expect(gauges).toMatchObject({ inUse: 2, available: 0 });
      await until(() => partitioned.available('order') === 1);
      const accepted = server.accepted;
      await thingOf(order).find();
      expect(server.accepted).toBe(accepted);
      await held;
      await until(() => inUse(partitioned) === 0);
    },
  );

  testWith('ownServer')(
    'of a handle is buffered while there is no server, and then sent',
    async () => {
      const server = await openServer();
      const { connection, partitioned } = await openDivided(mongoose, server.url, { partitions });
      const Thing = thingOf(partitioned.partition('order'));
      await Thing.find();
      await server.close();
      await until(() => connection.readyState === 0);
      const buffered = Thing.find().exec();
      await server.listen();
      expect(await buffered).toEqual([]);
    },
  );

  testWith('ownServer')('gets the error of the driver when there is no connection', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(
      mongoose,
      server.url,
      { partitions },
      { serverSelectionTimeoutMS: 100 },
    );
    const order = partitioned.partition('order');
    await thingOf(order).find();
    await server.close();
    const error = await rejection(thingOf(order).find());
    expect(error.name).toMatch(/^Mongo/);
    expect(inUse(partitioned)).toBe(0);
  });
});

describe('the classes of mongoose', () => {
  test('are those of the connection, whichever mongoose it is of', async () => {
    const { connection, partitioned } = await openDivided(mongoose9, await serverUrl(), {
      partitions,
    });
    const order = partitioned.partition('order');
    expect(order).toBeInstanceOf(mongoose9.Connection);
    expect(order.getClient()).toBeInstanceOf(mongoose9.mongo.MongoClient);
    expect(order.getClient()).not.toBe(connection.getClient());
    expect(partitioned.partition('order')).toBe(order);
  });
});
