import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { from, to } from 'pg-copy-streams';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';
import type { PartitionPool } from 'watertight/pg';

async function copyIn(partition: PartitionPool, lines: Iterable<string>): Promise<void> {
  // #region wire
  await partition.withConnection((client) =>
    pipeline(Readable.from(lines), client.query(from('copy items (name) from stdin'))),
  );
  // #endregion
}

const copyOut = (partition: PartitionPool): Promise<string> =>
  partition.withConnection((client) =>
    text(client.query(to('copy (select name from items order by id) to stdout'))),
  );

playOwn('pg: pg-copy-streams', servePg, {
  open: (partition) => partition,
  behaviours: {
    async 'copy in'(partition) {
      await Promise.all([copyIn(partition, ['one\n', 'two\n']), copyIn(partition, ['three\n'])]);
    },
    async 'copy out'(partition) {
      assert.deepEqual((await copyOut(partition)).trim().split('\n').toSorted(), [
        'one',
        'three',
        'two',
      ]);
    },
    async rollback(partition) {
      const broken = function* (): Generator<string> {
        yield 'never\n';
        throw new Error('changed my mind');
      };
      await assert.rejects(copyIn(partition, broken()), /changed my mind/);
      assert.ok(!(await copyOut(partition)).includes('never'));
    },
  },
  call: copyOut,
  close: (partition) => partition.end(),
  closeEndsPartition: true,
});
