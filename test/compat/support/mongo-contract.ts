import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertNothingInUse, assertShortDeadline } from './assertions.ts';
import type { ServedMongo } from './mongo.ts';

/** How a library that speaks to MongoDB is told to do what every one of them can. */
export interface MongoLibrary<P, Db> {
  /** Wires the library to the partition, as its users would. */
  open(partition: P, served: ServedMongo<P>): Db | Promise<Db>;
  insert(db: Db, name: string): Promise<unknown>;
  names(db: Db): Promise<readonly string[]>;
  /** Commits when `work` resolves, aborts when it rejects, and passes its error on. */
  transaction(
    db: Db,
    work: (insert: (name: string) => Promise<unknown>) => Promise<void>,
  ): Promise<unknown>;
  /** The names, with a cursor that asks for ten at a time. */
  stream(db: Db): AsyncIterable<string>;
  /** The library's own shutdown. */
  close(db: Db): Promise<unknown>;
  readonly closeEndsPartition: boolean;
}

/** Plays what a library must do on `order`, of two connections, beside a `batch` of two. */
export function playMongo<P, Db>(
  title: string,
  serve: (title: string) => Promise<ServedMongo<P>>,
  library: MongoLibrary<P, Db>,
): void {
  describe(title, () => {
    let served: ServedMongo<P>;
    let db: Db;
    before(async () => {
      served = await serve(title);
      db = await library.open(served.order, served);
    });
    after(() => served?.stop());

    /** Permits that `order` granted meanwhile: one for each command. */
    const granted = async (work: () => Promise<unknown>): Promise<number> => {
      const before = served.granted();
      await work();
      return served.granted() - before;
    };

    test('queries', async () => {
      assert.equal(await granted(() => library.insert(db, 'first')), 1);
      assert.deepEqual(await library.names(db), ['first']);
    });

    test('transactions', async () => {
      const both = () =>
        library.transaction(db, async (insert) => {
          await insert('second');
          await insert('third');
        });
      assert.equal(await granted(both), 2);
      assert.equal(served.ended().committed, 1);
      assert.deepEqual(await library.names(db), ['first', 'second', 'third']);
    });

    test('rollback', async () => {
      const failed = library.transaction(db, async (insert) => {
        await insert('never');
        throw new Error('changed my mind');
      });
      await assert.rejects(failed, /changed my mind/);
      assert.equal(served.ended().aborted, 1);
      assert.deepEqual(await library.names(db), ['first', 'second', 'third']);
    });

    test('concurrent transactions', async () => {
      const one = (i: number) =>
        library.transaction(db, async (insert) => {
          await insert(`concurrent ${i}`);
          await insert(`concurrent ${i} again`);
        });
      const all = () => Promise.all(Array.from({ length: 8 }, (_, i) => one(i)));
      const peak = await served.peakDuring(async () => assert.equal(await granted(all), 16));
      assert.equal(peak, 2);
      assert.equal((await library.names(db)).length, 19);
    });

    test('streaming', async () => {
      for (let i = 0; i < 6; i++) await library.insert(db, `streamed ${i}`);
      const names: string[] = [];
      const stream = async () => {
        for await (const name of library.stream(db)) names.push(name);
      };
      assert.equal(await granted(stream), 3);
      assert.deepEqual(names.toSorted(), (await library.names(db)).toSorted());
    });

    test('walls', async () => {
      const all = () => Promise.all(Array.from({ length: 20 }, () => library.names(db)));
      assert.equal(await served.peakDuring(all), 2);
      assert.equal(served.clients(), 1);
    });

    test('short deadline', async () => {
      await assertShortDeadline(served, () => library.names(db));
      assert.equal((await library.names(db)).length, 25);
    });

    test('nothing in use afterwards', () => assertNothingInUse(served));

    test('shutdown', async () => {
      const opened = served.opened();
      await library.close(db);
      assert.equal(served.orderEnded(), library.closeEndsPartition);
      await served.queryBatch();
      assert.equal(served.opened(), opened);
    });
  });
}
