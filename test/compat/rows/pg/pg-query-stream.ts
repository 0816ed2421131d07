import assert from 'node:assert/strict';
import QueryStream from 'pg-query-stream';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';
import type { PartitionPool } from 'watertight/pg';

async function sum(partition: PartitionPool, count: number): Promise<number> {
  let total = 0;
  // #region wire
  await partition.withConnection(async (client) => {
    const rows = client.query(new QueryStream('select generate_series(1, $1::int) as n', [count]));
    for await (const { n } of rows) total += n;
  });
  // #endregion
  return total;
}

playOwn('pg: pg-query-stream', servePg, {
  open: (partition) => partition,
  behaviours: {
    async streaming(partition) {
      const totals = await Promise.all([3, 100, 1000].map((count) => sum(partition, count)));
      assert.deepEqual(totals, [6, 5050, 500_500]);
    },
    async 'a stream that is left early'(partition) {
      await partition.withConnection(async (client) => {
        const sql = 'select generate_series(1, 100000) as n';
        for await (const { n } of client.query(new QueryStream(sql))) if (n > 10) break;
        assert.equal((await client.query('select 1 as one')).rows[0].one, 1);
      });
    },
  },
  call: (partition) => sum(partition, 3),
  close: (partition) => partition.end(),
  closeEndsPartition: true,
});
