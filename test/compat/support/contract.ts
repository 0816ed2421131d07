import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { isAcquireError } from 'watertight';
import type { Served } from './served.ts';

/** One transaction of the library. */
export interface Transaction {
  /** The server's number of the connection on which this statement runs. */
  connection(): Promise<number>;
  insert(name: string): Promise<unknown>;
}

/** How a library that speaks SQL is told to do what every one of them can. */
export interface Library<P, Db> {
  /** Wires the library to the partition, as its users would. */
  open(partition: P): Db | Promise<Db>;
  insert(db: Db, name: string): Promise<unknown>;
  names(db: Db): Promise<readonly string[]>;
  /** Commits when `work` resolves, rolls back when it rejects, and passes its error on. */
  transaction(db: Db, work: (tx: Transaction) => Promise<void>): Promise<unknown>;
  /** The numbers 1 to `count`, for a library that can stream rows. */
  stream?(db: Db, count: number): AsyncIterable<number>;
  /** The library's own shutdown. */
  close(db: Db): Promise<unknown>;
  /** What `close` does with the partition: most libraries end it, some leave a given pool alone. */
  readonly closeEndsPartition: boolean;
}

/**
 * Plays what a library must do on a partition: `order` of two connections, beside a `batch` of two.
 * Each row has a database of its own, so that the server can be asked for every connection that
 * was opened, whoever opened it.
 */
export function play<P, Db>(
  title: string,
  serve: (title: string) => Promise<Served<P>>,
  library: Library<P, Db>,
): void {
  describe(title, () => {
    let served: Served<P>;
    let db: Db;
    before(async () => {
      served = await serve(title);
      db = await library.open(served.order);
    });
    after(() => served?.stop());

    test('queries', async () => {
      await library.insert(db, 'first');
      assert.deepEqual(await library.names(db), ['first']);
    });

    test('transactions', async () => {
      const seen = new Set<number>();
      await library.transaction(db, async (tx) => {
        seen.add(await tx.connection());
        await tx.insert('second');
        seen.add(await tx.connection());
      });
      assert.equal(seen.size, 1);
      assert.deepEqual(await library.names(db), ['first', 'second']);
    });

    test('rollback', async () => {
      const failed = library.transaction(db, async (tx) => {
        await tx.insert('never');
        throw new Error('changed my mind');
      });
      await assert.rejects(failed, /changed my mind/);
      assert.deepEqual(await library.names(db), ['first', 'second']);
    });

    test('concurrent transactions', async () => {
      const granted = served.granted();
      const mixed: number[] = [];
      await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          library.transaction(db, async (tx) => {
            const first = await tx.connection();
            await tx.insert(`concurrent ${i}`);
            if ((await tx.connection()) !== first) mixed.push(i);
          }),
        ),
      );
      assert.deepEqual(mixed, []);
      assert.equal((await library.names(db)).length, 10);
      assert.ok(served.granted() >= granted + 8, 'each transaction took a permit');
    });

    if (library.stream) {
      test('streaming', async () => {
        const rows: number[] = [];
        for await (const row of library.stream!(db, 1000)) rows.push(row);
        assert.equal(rows.length, 1000);
        assert.equal(rows.at(-1), 1000);
      });
    }

    test('walls', async () => {
      // Two of `order`, and one of `batch`, which never runs two queries at a time.
      assert.ok((await served.connections()) <= 3, `${await served.connections()} connections`);
    });

    test('short deadline', async () => {
      await whileFull(served, async () => {
        const started = performance.now();
        const error = await library.names(db).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const found = acquireErrorIn(error);
        assert.equal(found?.code, 'ERR_ACQUIRE_TIMEOUT', String(error));
        assert.equal(found.partition, 'order');
        assert.ok(performance.now() - started < 30_000, 'not the deadline of the library');
        await served.queryBatch();
      });
      assert.equal((await library.names(db)).length, 10);
    });

    test('nothing in use afterwards', () => inUseNoLonger(served));

    test('shutdown', async () => {
      await library.close(db);
      assert.equal(served.orderEnded(), library.closeEndsPartition);
      await served.queryBatch();
    });
  });
}

/** With every connection of `order` held by somebody. */
export async function whileFull(
  { fill }: Pick<Served<unknown>, 'fill'>,
  work: () => Promise<void>,
): Promise<void> {
  const release = await fill();
  try {
    await work();
  } finally {
    await release();
  }
}

/** What ran before gives its permits back, if not at once. */
export async function inUseNoLonger({ inUse }: Pick<Served<unknown>, 'inUse'>): Promise<void> {
  for (let turn = 0; turn < 100 && inUse() > 0; turn++) await delay(20);
  assert.equal(inUse(), 0);
}

/** Libraries wrap what a driver throws: it is the error itself or one of its causes. */
export function acquireErrorIn(error: unknown): ReturnType<typeof asAcquireError> {
  for (let each = error; each instanceof Error; each = each.cause) {
    const found = asAcquireError(each);
    if (found) return found;
  }
  return undefined;
}

const asAcquireError = (error: unknown) => (isAcquireError(error) ? error : undefined);
