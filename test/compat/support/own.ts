import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertNothingInUse, assertShortDeadline } from './assertions.ts';
import type { Served } from './served.ts';

/** What a library shows that does something else than queries and transactions. */
export interface Program<P, L> {
  /** Wires the library to the partition, as its users would. */
  open(partition: P): L | Promise<L>;
  /** What it does on a partition, by the words of the page. */
  readonly behaviours: Readonly<
    Record<string, (library: L, served: Served<P>) => Promise<unknown>>
  >;
  /** Needs a connection. */
  call(library: L): PromiseLike<unknown>;
  /** The library's own shutdown. */
  close(library: L): unknown;
  readonly closeEndsPartition: boolean;
}

/** Plays behaviours of a library's own, and those that every one must have on a partition. */
export function playOwn<P, L>(
  title: string,
  serve: (title: string) => Promise<Served<P>>,
  program: Program<P, L>,
): void {
  describe(title, () => {
    let served: Served<P>;
    let library: L;
    before(async () => {
      served = await serve(title);
      library = await program.open(served.order);
    });
    after(() => served?.stop());

    for (const [name, behaviour] of Object.entries(program.behaviours)) {
      test(name, async () => {
        const granted = served.granted();
        await behaviour(library, served);
        assert.ok(served.granted() > granted, 'it took a permit');
      });
    }

    test('walls', async () => {
      // Two of `order`, and one of `batch`, which never runs two queries at a time.
      assert.ok((await served.connections()) <= 3, `${await served.connections()} connections`);
    });

    test('short deadline', () => assertShortDeadline(served, () => program.call(library)));

    test('nothing in use afterwards', () => assertNothingInUse(served));

    test('shutdown', async () => {
      await program.close(library);
      assert.equal(served.orderEnded(), program.closeEndsPartition);
      await served.queryBatch();
    });
  });
}
