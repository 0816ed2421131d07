import { request } from '../fakes/receiver.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test } from '@jest/globals';
import { isConfigError, Partitioner, type Lease } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';
import { FakeDriver } from '../fakes/fake-driver.ts';

/** What is wrong with a configuration, as it is told. */
function faultsOf(act: () => unknown): string | undefined {
  try {
    act();
  } catch (error) {
    if (isConfigError(error)) return error.message;
    throw error;
  }
  return undefined;
}

describe('a partitioner', () => {
  test('serves its line first come first served and hands the permit over', async () => {
    const clock = new FakeClock();
    const partitioner = new Partitioner({ partitions: { stt: 1, llm: 1 } }, { clock });
    const log: string[] = [];
    const first = await partitioner.acquire('stt');
    const waits = ['a', 'b', 'c'].map(async (name) => {
      const lease = await partitioner.acquire('stt');
      log.push(`${name} in`);
      await Promise.resolve();
      log.push(`${name} out`);
      lease.release();
    });
    first.release();
    expect(partitioner.inUse).toBe(1);
    await Promise.all(waits);
    expect(log).toEqual(['a in', 'a out', 'b in', 'b out', 'c in', 'c out']);
    expect(partitioner.inUse).toBe(0);
    expect(clock.pending).toBe(0);
  });

  test('tells a waiter no at its deadline and says what stood in the way', async () => {
    const clock = new FakeClock();
    const partitioner = new Partitioner({ partitions: { order: 1 } }, { clock });
    await partitioner.acquire('order', { label: 'report' });
    clock.advance(100);
    const wait = partitioner.acquire('order').catch((error: unknown) => error);
    await Promise.resolve();
    clock.advance(1999);
    expect(partitioner.partition('order').waiting).toBe(1);
    clock.advance(1);
    expect(await wait).toMatchObject({
      code: 'ERR_ACQUIRE_TIMEOUT',
      partition: 'order',
      step: 'waiting',
      waitedMillis: 2000,
      holders: [{ label: 'report', heldMillis: 2100 }],
      message:
        "timeout exceeded when trying to acquire: partition 'order' waited 2000 ms, in use 1 of 1, " +
        "waiting 1; longest held 2100 ms by 'report'; would have been admitted by more than " +
        'partitions.order.size = 1',
    });
  });
});

describe('the walls of a partitioner', () => {
  test('leave a partition its size however busy the others are', () => {
    const partitioner = new Partitioner(
      { partitions: { order: 8, search: 8, batch: 4 } },
      { clock: new FakeClock() },
    );
    const driver = new FakeDriver();
    const batch = partitioner.partition('batch');
    for (let n = 0; n < 50; n++) driver.request(batch, `report ${n}`);
    expect([batch.inUse, batch.waiting, partitioner.inUse]).toEqual([4, 46, 4]);
    for (const name of ['order', 'search'] as const) {
      expect(partitioner.partition(name).available).toBe(8);
      for (let n = 0; n < 8; n++) expect(partitioner.tryAcquire(name)).toBeDefined();
      expect(partitioner.partition(name).isFull).toBe(true);
    }
    expect([partitioner.inUse, partitioner.max, partitioner.waiting]).toEqual([20, 20, 46]);
  });

  test('let what nobody has reserved go round among those who wait for it', () => {
    const { partitioner, driver } = shared(2);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2']) {
      driver.request(partitioner.partition(name.charAt(0)), name);
    }
    for (const name of ['a1', 'a2', 'b1', 'a3']) driver.lease(name).release();
    expect(driver.log.join(' ')).toBe(
      'a1 granted a2 granted b1 granted a3 granted b2 granted a4 granted',
    );
  });

  test('come to nothing for a name that is unknown', async () => {
    const partitioner = new Partitioner({ partitions: { order: 1 } });
    const name = 'ordre' as 'order';
    const error = { code: 'ERR_UNKNOWN_PARTITION', partition: 'ordre' };
    await expect(partitioner.acquire(name)).rejects.toMatchObject(error);
    await expect(partitioner.run(name, () => 1)).rejects.toMatchObject(error);
    expect(() => partitioner.tryAcquire(name)).toThrow("unknown partition 'ordre'");
    expect(() => partitioner.partition('__proto__' as 'order')).toThrow('unknown partition');
    expect([partitioner.has('order'), partitioner.has('toString')]).toEqual([true, false]);
  });
});

describe('a partition added while others work', () => {
  test('brings its own permits when the pool has no max of its own', () => {
    const partitioner = new Partitioner({ partitions: { stt: 2 } });
    const tenant = partitioner.add('tenant-42', { size: 3 });
    expect([partitioner.max, tenant.available]).toEqual([5, 3]);
    expect(partitioner.names).toEqual(['stt', 'tenant-42']);
  });

  test('gets its permits before anybody else when they come back from others', () => {
    const { partitioner, driver } = shared(3);
    for (const name of ['a1', 'a2', 'a3', 'a4', 'b1']) {
      driver.request(partitioner.partition(name.charAt(0)), name);
    }
    const late = partitioner.add('late', 2);
    for (const name of ['late 1', 'late 2']) driver.request(late, name);
    driver.log.length = 0;
    for (const name of ['a1', 'a2', 'a3', 'late 1']) driver.lease(name).release();
    expect(driver.log).toEqual(['late 1 granted', 'late 2 granted', 'b1 granted']);
  });

  test('takes the defaults of the others', () => {
    const partitioner = new Partitioner({ maxWaiting: 3, partitions: { a: 1 } });
    expect(partitioner.add('b', 1).options).toMatchObject({
      maxWaiting: 3,
      acquireTimeoutMillis: 2000,
    });
  });

  test('is refused with a name that is taken or sizes that do not fit, and changes nothing', () => {
    const { partitioner } = shared(3);
    expect(faultsOf(() => partitioner.add('a', 1))).toBe(
      'watertight: partitions.a: expected a new name; this partition exists',
    );
    expect(faultsOf(() => partitioner.add('big', 4))).toBe(
      'watertight: partitions.big: the sizes add up to 0 + 4 = 4, more than max = 3',
    );
    expect(faultsOf(() => partitioner.add('high', { size: 1, max: 4 }))).toBe(
      "watertight: partitions.high.max: expected at most the pool's max, 3, got 4",
    );
    expect(faultsOf(() => partitioner.add('odd', -1))).toBe(
      'watertight: partitions.odd: expected an integer from 0 up, got -1',
    );
    expect([partitioner.names, partitioner.max]).toEqual([['a', 'b'], 3]);
  });
});

describe('receivers that call back at once', () => {
  test('drain a line of 100,000 without filling the stack', () => {
    const partitioner = new Partitioner({ partitions: { a: { size: 1, maxWaiting: Infinity } } });
    const partition = partitioner.partition('a');
    let served = 0;
    const receiver = {
      granted: (lease: Lease): void => {
        lease.deliver();
        served++;
        lease.release();
      },
      rejected: (error: Error): void => {
        throw error;
      },
    };
    const holder = partition.tryAcquire();
    for (let n = 0; n < 100_000; n++) request(partition, undefined, receiver);
    holder?.release();
    expect([served, partition.inUse, partition.waiting]).toEqual([100_000, 0, 0]);
    void partition.close();
  });

  test('may give 100,000 permits back at once, each to the next in line', () => {
    const [many, clock] = [100_000, new FakeClock()];
    const partitions = { a: { size: many, maxWaiting: Infinity }, b: 1 };
    const partitioner = new Partitioner({ partitions }, { clock });
    const [a, b] = [partitioner.partition('a'), partitioner.partition('b')];
    const held = Array.from({ length: many }, () => a.tryAcquire());
    let served = 0;
    const count = (lease: Lease): number => (lease.deliver() ? served++ : served);
    for (let n = 0; n < many; n++) {
      request(a, undefined, { granted: count, rejected: () => undefined });
    }
    new FakeDriver().request(
      b,
      'all',
      {},
      {
        granted: () => {
          for (const lease of held) lease?.release();
          expect(served).toBe(0);
        },
      },
    );
    expect([served, a.inUse, a.waiting]).toEqual([many, many, 0]);
  });

  test('are told in the order of the grants, each before the outermost call returns', () => {
    const partitioner = new Partitioner({ partitions: { a: 3 } }, { clock: new FakeClock() });
    const partition = partitioner.partition('a');
    const driver = new FakeDriver();
    driver.request(
      partition,
      'outer',
      {},
      {
        granted: () => {
          driver.request(partition, 'first');
          driver.request(partition, 'second');
          driver.log.push('outer returns');
        },
      },
    );
    expect(driver.log).toEqual([
      'outer granted',
      'outer returns',
      'first granted',
      'second granted',
    ]);
  });
});

describe('the context of a caller (I10)', () => {
  test('is current after its acquire, also when the release of another served it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const partitioner = new Partitioner({ partitions: { a: 1 } });
    const log: (string | undefined)[] = [];
    const calls = ['one', 'two', 'three'].map(async (name) =>
      storage.run(name, async () => {
        const lease = await partitioner.acquire('a');
        log.push(storage.getStore());
        await Promise.resolve();
        lease.release();
        await partitioner.run('a', () => log.push(storage.getStore()));
        log.push(storage.getStore());
      }),
    );
    await Promise.all(calls);
    const counts = ['one', 'two', 'three'].map((name) => log.filter((one) => one === name).length);
    expect([counts, log.length]).toEqual([[3, 3, 3], 9]);
    expect(storage.getStore()).toBeUndefined();
  });
});

/** Two partitions that have reserved nothing of `max`. */
function shared(max: number) {
  const own = { size: 0, max };
  const clock = new FakeClock();
  const partitioner = new Partitioner<string>({ max, partitions: { a: own, b: own } }, { clock });
  return { partitioner, driver: new FakeDriver() };
}
