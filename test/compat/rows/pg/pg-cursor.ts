import assert from 'node:assert/strict';
import Cursor from 'pg-cursor';
import { assertNothingInUse } from '../../support/assertions.ts';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';
import type { PartitionPool } from 'watertight/pg';

async function firstRows(partition: PartitionPool): Promise<number[]> {
  // #region wire
  const client = await partition.connect();
  const cursor = client.query(new Cursor('select generate_series(1, 1000) as n'));
  const rows = await cursor.read(100);
  await cursor.close();
  client.release();
  // #endregion
  return rows.map(({ n }) => n);
}

const inTurn = 'select generate_series(1, 1000) as n';

playOwn('pg: pg-cursor', servePg, {
  open: (partition) => partition,
  behaviours: {
    async cursors(partition) {
      const rows = await Promise.all([firstRows(partition), firstRows(partition)]);
      assert.deepEqual(rows[0], rows[1]);
      assert.equal(rows[0]!.length, 100);
    },
    async 'a cursor that is left open goes to nobody'(partition, served) {
      const client = await partition.connect();
      await client.query(new Cursor(inTurn)).read(10);
      client.release();
      await assertNothingInUse(served);
      const held = await Promise.all([partition.connect(), partition.connect()]);
      assert.ok(!held.includes(client));
      held.forEach((other) => other.release());
    },
  },
  call: firstRows,
  close: (partition) => partition.end(),
  closeEndsPartition: true,
});
