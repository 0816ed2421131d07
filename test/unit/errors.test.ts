import { describe, expect, test } from '@jest/globals';
import * as watertight from '../../src/index.ts';
import { Circumstances } from '../../src/circumstances.ts';
import { Partitioner, type AcquireError } from '../../src/index.ts';
import { FakeClock } from '../fakes/fake-clock.ts';

const caught = async (promise: Promise<unknown>): Promise<AcquireError> =>
  promise.then(
    () => Promise.reject(new Error('nothing was thrown')),
    (error: unknown) => error as AcquireError,
  );

/** `order` of one permit, which `report` has held for 1500 ms. */
async function held(options: { max?: number; acquireTimeoutMillis?: number } = {}) {
  const clock = new FakeClock();
  const { max = 1, ...rest } = options;
  const partitioner = new Partitioner(
    { max, partitions: { order: { size: 1, max, ...rest }, other: { size: 0, max } } },
    { clock },
  );
  const order = partitioner.partition('order');
  const lease = await order.acquire({ label: 'report' });
  clock.advance(1500);
  return { clock, partitioner, order, lease };
}

describe('an acquire error', () => {
  test('says who holds what, for how long, and which setting would have admitted the call', async () => {
    const { order } = await held();
    const error = await caught(order.acquire({ acquireTimeoutMillis: 0 }));
    expect(error).toMatchObject({
      code: 'ERR_PARTITION_FULL',
      name: 'PartitionFullError',
      partition: 'order',
      step: 'waiting',
      waitedMillis: 0,
      inUse: 1,
      size: 1,
      max: 1,
      waiting: 0,
      holders: [{ label: 'report', heldMillis: 1500 }],
      setting: 'partitions.order.size = 1',
      message:
        "the partition is full: partition 'order' waited 0 ms, in use 1 of 1, waiting 0; longest " +
        "held 1500 ms by 'report'; would have been admitted by more than partitions.order.size = 1",
    });
  });

  test('names the ceiling where it is above the size, and the pool where that is what is full', async () => {
    const { order, partitioner } = await held({ max: 2 });
    await order.acquire();
    const own = await caught(order.acquire({ acquireTimeoutMillis: 0 }));
    expect(own.setting).toBe('partitions.order.max = 2');
    expect(own.message).toContain('in use 2 of 2 (size 1)');
    const other = await caught(partitioner.acquire('other', { acquireTimeoutMillis: 0 }));
    expect(other.setting).toBe('max = 2');
  });

  test('lists the longest holder first', async () => {
    const { order, clock } = await held({ max: 2 });
    await order.acquire();
    clock.advance(10);
    const { holders } = await caught(order.acquire({ acquireTimeoutMillis: 0 }));
    expect(holders).toEqual([{ label: 'report', heldMillis: 1510 }, { heldMillis: 10 }]);
  });

  test('is answered with 503 and Retry-After when it reaches a web framework', async () => {
    const { order } = await held({ acquireTimeoutMillis: 4100 });
    const error = await caught(order.acquire({ acquireTimeoutMillis: 0 }));
    const { status, statusCode, expose, headers: shown } = error;
    expect({ status, statusCode, expose, shown }).toEqual({
      status: 503,
      statusCode: 503,
      expose: false,
      shown: { 'Retry-After': '5' },
    });
    const { order: quick } = await held({ acquireTimeoutMillis: 20 });
    const { headers } = await caught(quick.acquire({ acquireTimeoutMillis: 0 }));
    expect(headers['Retry-After']).toBe('1');
  });

  test('names no setting where none would have admitted the call', async () => {
    const { order, partitioner } = await held({ max: 2 });
    const gone = AbortSignal.abort();
    const idle = partitioner.add('idle', 1);
    expect((await caught(idle.acquire({ signal: gone }))).setting).toBeUndefined();
    const late = new AbortController();
    const run = idle.run(() => 'ran', { signal: late.signal });
    late.abort();
    expect((await caught(run)).setting).toBeUndefined();
    void order.close();
    const closed = await caught(order.acquire());
    expect([closed.code, closed.setting]).toEqual(['ERR_PARTITION_CLOSED', undefined]);
    expect(closed.message).not.toContain('admitted');
  });

  test('of an abort is an AbortError with the reason as its cause', async () => {
    const { order } = await held();
    const reason = new Error('the client hung up');
    const error = await caught(order.acquire({ signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ code: 'ERR_ACQUIRE_ABORTED', name: 'AbortError', cause: reason });
    expect(error.message).toMatch(/^the acquire was aborted: partition 'order' waited 0 ms/);
  });

  test('of a partition that misses its name lists those there are', () => {
    const partitioner = new Partitioner({ partitions: { order: 1, batch: 1 } });
    expect(() => partitioner.partition('ordre' as 'order')).toThrow(
      "unknown partition 'ordre'; there are: 'order', 'batch'",
    );
  });
});

describe('the guards', () => {
  const guards = {
    ERR_ACQUIRE_TIMEOUT: watertight.isAcquireTimeoutError,
    ERR_ACQUIRE_ABORTED: watertight.isAcquireAbortedError,
    ERR_PARTITION_FULL: watertight.isPartitionFullError,
    ERR_PARTITION_CLOSED: watertight.isPartitionClosedError,
    ERR_UNKNOWN_PARTITION: watertight.isUnknownPartitionError,
    ERR_NO_PARTITION: watertight.isNoPartitionError,
    ERR_CONFIG: watertight.isConfigError,
  };
  const foreign = (code: string): Error => Object.assign(new Error('from another copy'), { code });

  test.each(Object.entries(guards))(
    'know %s by its code, also from another copy',
    (code, guard) => {
      expect(guard(foreign(code))).toBe(true);
      const others = Object.keys(guards).filter((other) => other !== code);
      for (const other of others) expect(guard(foreign(other))).toBe(false);
    },
  );

  test('know every error that means "no lease"', () => {
    const acquire = Object.keys(guards).filter((code) => watertight.isAcquireError(foreign(code)));
    expect(acquire).toEqual([
      'ERR_ACQUIRE_TIMEOUT',
      'ERR_ACQUIRE_ABORTED',
      'ERR_PARTITION_FULL',
      'ERR_PARTITION_CLOSED',
    ]);
  });

  test.each([undefined, null, 'ERR_CONFIG', { code: 'ERR_CONFIG' }, new Error('ERR_CONFIG')])(
    'are not taken in by %p',
    (value) => expect(watertight.isConfigError(value)).toBe(false),
  );
});

describe('the words of an error', () => {
  test('tell a slow connect from a long line, and what the driver knows of the holder', () => {
    const words = 'timeout exceeded when trying to connect';
    const circumstances = new Circumstances(
      { at: 0, words, step: 'connecting', inUse: 2, setting: undefined },
      { name: 'order', size: 1, max: 3 },
      [{ heldMillis: 7, label: 'job', pid: 42 }],
    );
    expect(circumstances.message(12.6, 4)).toBe(
      "timeout exceeded when trying to connect: partition 'order' waited for a connection 13 ms, " +
        "in use 2 of 3 (size 1), waiting 4; longest held 7 ms by 'job', pid 42",
    );
  });

  test.each([
    [{ heldMillis: 7, label: 'job', state: 'connecting' }, "7 ms by 'job', still connecting"],
    [{ heldMillis: 7, state: 'connecting' }, '7 ms, still connecting'],
    [{ heldMillis: 7, pid: 42 }, '7 ms by pid 42'],
    [{ heldMillis: 7 }, '7 ms'],
  ])('tell of the longest holder %j: held %s', (holder, wanted) => {
    const circumstances = new Circumstances(
      { at: 0, words: 'Timeout', step: 'waiting', inUse: 1, setting: undefined },
      { name: 'order', size: 1, max: 1 },
      [holder],
    );
    expect(circumstances.message(1, 0)).toMatch(new RegExp(`; longest held ${wanted}$`));
  });

  test('are those of the moment, for each of many who are told at once', async () => {
    const { clock, order } = await held({ max: 2 });
    await order.acquire();
    const told = [order.acquire(), order.acquire({ acquireTimeoutMillis: 5 })];
    const errors = Promise.all(told.map(caught));
    clock.advance(2000);
    const [later, sooner] = await errors;
    expect(sooner?.message).toContain('waited 5 ms, in use 2 of 2 (size 1), waiting 2; longest');
    expect(later?.message).toContain('waited 2000 ms, in use 2 of 2 (size 1), waiting 1; longest');
    expect(later?.holders).toEqual([{ label: 'report', heldMillis: 3500 }, { heldMillis: 2000 }]);
  });
});

describe('the stack of an acquire error', () => {
  test("shows the caller's line when the call itself is refused", async () => {
    const { order } = await held();
    const error = await caught(order.acquire({ acquireTimeoutMillis: 0 }));
    expect(error.stack).toContain('errors.test');
  });

  test.each(['timer', 'abort', 'close'])('is left out when a %s tells it later', async (by) => {
    const { clock, order } = await held();
    const controller = new AbortController();
    const error = caught(order.acquire({ signal: controller.signal }));
    if (by === 'timer') clock.advance(2000);
    if (by === 'abort') controller.abort();
    if (by === 'close') void order.close();
    const { stack, message } = await error;
    expect(stack).toMatch(/^\w+: /);
    expect(stack?.split('\n')).toHaveLength(message.split('\n').length);
    expect(new Error('the limit is as it was').stack).toContain('errors.test');
  });
});
