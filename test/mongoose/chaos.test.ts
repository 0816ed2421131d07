import { expect } from '@jest/globals';
import {
  describeBoth,
  inUse,
  openDivided,
  openServer,
  testWith,
  thingOf,
  until,
} from '../support/mongo.ts';

const options = {
  partitions: { order: 4, search: 3, batch: 2 },
  defaultPartition: 'order',
  acquireTimeoutMillis: 150,
} as const;

/** The same numbers each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

describeBoth('when everything goes wrong', (mongoose) => {
  testWith('ownServer')('no permit and no connection is lost, and no wall gives way', async () => {
    const server = await openServer();
    const { connection, partitioned } = await openDivided(mongoose, server.url, options, {
      maxPoolSize: 10,
      serverSelectionTimeoutMS: 500,
    });
    const random = numbers(7);
    const names = ['order', 'search', 'batch'] as const;
    await thingOf(connection).insertMany(Array.from({ length: 20 }, (_, n) => ({ n })));
    const one = async (name: (typeof names)[number], millis: number, kind: number) => {
      const handle = partitioned.partition(name);
      const Thing = thingOf(handle);
      const find = Thing.find().batchSize(5).comment(`sleep:${millis}`);
      if (kind < 0.4) await find;
      else if (kind < 0.5) await find.maxTimeMS(3);
      else if (kind < 0.6) await find.setOptions({ signal: AbortSignal.timeout(4) });
      else if (kind < 0.8) await find.cursor().next();
      else await handle.transaction((session) => Thing.create([{ n: 1 }], { session }));
    };
    server.faults.add({ command: 'getMore', times: 3, drop: true });
    server.faults.add({ command: 'insert', times: 3, drop: true });
    const all: Promise<unknown>[] = [];
    for (let n = 0; n < 400; n++) {
      const name = names[Math.floor(random() * 3)] as (typeof names)[number];
      all.push(one(name, Math.ceil(random() * 12), random()));
      if (n % 150 === 100) server.cut('working');
      if (n % 4 === 0) await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const outcomes = await Promise.allSettled(all);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(20);
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThan(5);
    await until(() => inUse(partitioned) === 0);
    const pool = poolOf(connection.getClient());
    await until(() => pool.currentCheckedOutCount === 0 && pool.pendingConnectionCount === 0);
    expect(server.peak).toBeLessThanOrEqual(10);
    for (const name of names) {
      const { gauges, counters } = partitioned.stats().totals[name] ?? {};
      expect(gauges?.available).toBe(gauges?.size);
      const { requested = 0, granted = 0, contextFallbacks: _, ...refused } = counters ?? {};
      const others = Object.values(refused).reduce((sum, count) => sum + count, 0);
      expect(requested).toBe(granted + others);
    }
    for (const name of names) await thingOf(partitioned.partition(name)).findOne();
  });

  testWith('ownServer')('a server that was restarted has all its permits', async () => {
    const server = await openServer();
    const { partitioned } = await openDivided(mongoose, server.url, options);
    const order = partitioned.partition('order');
    const running = Promise.allSettled(
      Array.from({ length: 12 }, () => thingOf(order).find().comment('sleep:30').exec()),
    );
    await until(() => partitioned.isFull('order'));
    await server.close();
    await server.listen();
    await running;
    await thingOf(order).find();
    expect(inUse(partitioned)).toBe(0);
    expect(partitioned.available('order')).toBe(4);
  });
});

const poolOf = (
  client: object,
): { readonly currentCheckedOutCount: number; readonly pendingConnectionCount: number } => {
  const { topology } = client as { topology: { s: { servers: Map<string, { pool: never }> } } };
  const [server] = topology.s.servers.values();
  return (server as { pool: never }).pool;
};
