import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Pool } from 'watertight/pg';
import { countConnections } from './pg-witness.ts';

/** What a part is told to do; it answers with what came of it. */
export type Order = 'fill order' | 'query order' | 'query batch' | 'release' | 'in use' | 'end';

/** A thread or process that has a pool of its own, as its parent sees it. */
export interface Part {
  tell(order: Order): Promise<unknown>;
  stop(): Promise<unknown>;
}

type Two = [Part, Part];

/**
 * Plays two parts of a program, each with two connections for `order` and two for `batch`.
 * @param application what their connections say of themselves
 * @param more behaviours of this kind of parts, after which both are to be as before
 */
export function playParts(
  title: string,
  application: string,
  start: () => Part,
  more: Readonly<Record<string, (parts: Two) => Promise<void>>> = {},
): void {
  describe(title, () => {
    const parts = [] as unknown as Two;
    const tellAll = (order: Order): Promise<unknown[]> =>
      Promise.all(parts.map((part) => part.tell(order)));
    before(() => void parts.push(start(), start()));
    after(() => Promise.all(parts.map((part) => part.stop())));

    test('divided max', async () => {
      assert.deepEqual(await tellAll('fill order'), ['filled', 'filled']);
      assert.deepEqual(await tellAll('query batch'), ['answered', 'answered']);
      assert.equal(await countConnections(application), 2 * 2 + 2);
      await tellAll('release');
    });

    test('walls of each', async () => {
      const [first, second] = parts;
      await first.tell('fill order');
      assert.equal(await first.tell('query order'), 'ERR_ACQUIRE_TIMEOUT');
      assert.equal(await first.tell('query batch'), 'answered');
      assert.equal(await second.tell('query order'), 'answered');
      await first.tell('release');
    });

    for (const [name, behaviour] of Object.entries(more)) test(name, () => behaviour(parts));

    test('nothing in use afterwards', async () => {
      assert.deepEqual(await tellAll('in use'), [0, 0]);
    });

    test('shutdown', async () => {
      const [first, second] = parts;
      assert.equal(await first.tell('end'), 'ended');
      assert.equal(await second.tell('query order'), 'answered');
      await second.tell('end');
      assert.equal(await countConnections(application), 0);
    });
  });
}

/** The part's own side: what it does when it is told to. */
export function obey(pool: Pool<'order' | 'batch'>): (order: Order) => Promise<unknown> {
  const order = pool.partition('order');
  const answered = (): string => 'answered';
  const codeOf = ({ code }: { code?: string }): string | undefined => code;
  let release = (): void => {};
  const orders: Record<Order, () => unknown> = {
    async 'fill order'() {
      const clients = [await order.connect(), await order.connect()];
      release = () => clients.forEach((client) => client.release());
      return 'filled';
    },
    'query order': () => order.query('select 1').then(answered, codeOf),
    'query batch': () => pool.partition('batch').query('select 1').then(answered, codeOf),
    release() {
      release();
      return 'released';
    },
    'in use': () => order.stats().gauges.inUse,
    end: () => pool.end().then(() => 'ended'),
  };
  return async (told) => orders[told]();
}
