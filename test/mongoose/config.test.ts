import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { EventEmitter } from 'node:events';
import mongoose from 'mongoose';
import type { ConnectOptions } from 'mongoose';
import {
  partitionClient,
  partitionConnection,
  UnsupportedDriverError,
} from '../../drivers/mongoose/index.ts';

const open: mongoose.Connection[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close(true)));
});

/** A connection that nobody answers: what is wrong is told before it connects. */
function unanswered(options?: ConnectOptions): mongoose.Connection {
  const connection = mongoose.createConnection('mongodb://127.0.0.1:1/test', {
    maxConnecting: 100,
    serverSelectionTimeoutMS: 50,
    ...options,
  });
  connection.on('error', () => {});
  connection.asPromise().catch(() => {});
  open.push(connection);
  return connection;
}

function messageOf(make: () => unknown): string {
  try {
    make();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('expected a throw');
}

const divide =
  (options: unknown, connect?: ConnectOptions): (() => unknown) =>
  () =>
    partitionConnection(unanswered(connect), options as { partitions: Record<string, number> });

describe('a configuration with faults is refused', () => {
  test('with all of them at once, each with its rule and the value', () => {
    const options = {
      partitions: { order: { size: 8, max: 6 }, batch: { sise: 4 } },
      defaultPartition: 'orders',
      acquireTimeoutMillis: 60_000,
      finishReserve: -1,
      maxWaitng: 5,
    };
    expect(messageOf(divide(options))).toBe(`watertight: 7 faults in the configuration
  - maxWaitng: unknown option; did you mean 'maxWaiting'?
  - finishReserve: expected an integer from 0 up, got -1
  - acquireTimeoutMillis: expected milliseconds from 0 to 30000 (waiting longer, or for ever, hides an outage), got 60000
  - partitions.order.max: expected at least its size, 8, got 6
  - partitions.batch.sise: unknown option; did you mean 'size'?
  - partitions.batch.size: expected an integer from 0 up, got undefined
  - defaultPartition: expected one of order, batch, got 'orders'`);
  });

  test('when the sizes and the reserve do not fit into maxPoolSize, with the sum written out', () => {
    const partitions = { order: 8, search: 8, batch: 4 };
    expect(messageOf(divide({ partitions }, { maxPoolSize: 20 }))).toBe(
      'watertight: partitions: the sizes add up to 8 + 8 + 4 = 20, more than maxPoolSize 20 less finishReserve 1 = 19',
    );
    expect(divide({ partitions, finishReserve: 0 }, { maxPoolSize: 20 })).not.toThrow();
    expect(divide({ partitions }, { maxPoolSize: 21 })).not.toThrow();
  });

  test('when max is more than that, but it may be less', () => {
    const partitions = { order: 2 };
    expect(messageOf(divide({ partitions, max: 20 }, { maxPoolSize: 20 }))).toBe(
      'watertight: max: expected at most maxPoolSize 20 less finishReserve 1 = 19, got 20',
    );
    expect(messageOf(divide({ partitions, max: 1 }, { maxPoolSize: 20 }))).toContain('max = 1');
    expect(divide({ partitions, max: 19 }, { maxPoolSize: 20 })).not.toThrow();
  });

  test('when it is no object', () => {
    expect(messageOf(divide('order=8'))).toContain('expected an object');
  });

  test('when waitQueueTimeoutMS is longer than anybody should wait', () => {
    const connect = { waitQueueTimeoutMS: 60_000 };
    const partitions = { order: 1 };
    expect(messageOf(divide({ partitions }, connect))).toContain('waitQueueTimeoutMS: expected');
    expect(divide({ partitions, acquireTimeoutMillis: 500 }, connect)).not.toThrow();
  });

  test('and a maxPoolSize of 0, which is without limit, leaves the limit to the sizes', () => {
    const connect = { maxPoolSize: 0, maxConnecting: 200 };
    expect(divide({ partitions: { order: 200 } }, connect)).not.toThrow();
    expect(messageOf(divide({ partitions: { order: 200 } }))).toContain('maxPoolSize 100');
  });
});

describe('an unknown partition', () => {
  test('is an error that lists those there are', () => {
    const partitioned = partitionConnection(unanswered(), { partitions: { order: 1, batch: 1 } });
    for (const use of [
      () => partitioned.partition('ordr' as 'order'),
      () => partitioned.available('ordr' as 'order'),
    ]) {
      expect(messageOf(use)).toBe("unknown partition 'ordr'; there are: 'order', 'batch'");
    }
  });
});

describe('a client', () => {
  test('is divided once', () => {
    const connection = unanswered();
    const first = partitionConnection(connection, { partitions: { order: 1 } });
    const again = (): unknown => partitionConnection(connection, { partitions: { order: 1 } });
    expect(again).toThrow('the connections of this client are divided already');
    const client = connection.getClient();
    expect(() => partitionClient(client, { partitions: { order: 1 } })).toThrow('divided already');
    first.uninstall();
    expect(again).not.toThrow();
  });

  test.each(['6.3.0', '6.12.0', '6.2.0|8.2.0', '5.9.2'])(
    'of a driver that is too old, %s, is refused with what is needed',
    (version) => {
      const client = Object.assign(new EventEmitter(), {
        options: { metadata: { driver: { name: 'nodejs', version } } },
      });
      const divideOld = (): unknown => partitionClient(client, { partitions: { order: 1 } });
      expect(divideOld).toThrow(UnsupportedDriverError);
      expect(divideOld).toThrow(`version ${version}; expected mongodb 6.13 to 7`);
      expect(client.eventNames()).toEqual([]);
    },
  );

  test.each(['6.13.0', '6.20.0|8.24.10', '7.8.0', '10.0.0'])('of driver %s is not', (version) => {
    const options = { metadata: { driver: { name: 'nodejs', version } }, maxConnecting: 9 };
    const client = Object.assign(new EventEmitter(), { options });
    expect(() => partitionClient(client, { partitions: { order: 1 } })).not.toThrow();
  });

  test('without the functions that are hooked is refused, with their names', () => {
    const servers = new Map([['a:1', { command: () => {}, pool: { checkIn: () => {} } }]]);
    const client = Object.assign(new EventEmitter(), { options: {}, topology: { s: { servers } } });
    expect(() => partitionClient(client, { partitions: { order: 1 } })).toThrow(
      'it has no pool.checkOut',
    );
  });

  test('that gets such a server later fails every operation, and lets none past the partitions', async () => {
    const servers = new Map<string, { command(): unknown; pool: object }>();
    const client = Object.assign(new EventEmitter(), {
      options: { maxConnecting: 9 },
      topology: { s: { servers } },
    });
    partitionClient(client, { partitions: { order: 1 } });
    servers.set('a:1', { command: () => 'ungated', pool: {} });
    client.emit('connectionPoolCreated');
    await expect(servers.get('a:1')?.command()).rejects.toThrow(
      'it has no pool.checkOut, pool.checkIn',
    );
  });

  test('that is none is refused', () => {
    expect(() => partitionClient({}, { partitions: { order: 1 } })).toThrow('not a MongoClient');
  });
});

describe('few connections at a time in a cold pool', () => {
  test('are warned about once, with what to set', () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const partitions = { order: 8, batch: 4 };
    divide({ partitions }, { maxConnecting: 12 })();
    divide({ partitions }, { maxConnecting: 2, minPoolSize: 12 })();
    divide({}, { maxConnecting: 2 })();
    expect(warned).not.toHaveBeenCalled();
    divide({ partitions }, { maxConnecting: 2 })();
    divide({ partitions }, { maxConnecting: 2 })();
    expect(warned.mock.calls).toEqual([
      [
        expect.stringContaining('set maxConnecting or minPoolSize to 12'),
        { code: 'WATERTIGHT_COLD_POOL' },
      ],
    ]);
    warned.mockRestore();
  });
});
