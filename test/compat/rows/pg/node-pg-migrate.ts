import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runner } from 'node-pg-migrate';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';
import type { PartitionPool } from 'watertight/pg';

interface Project {
  readonly partition: PartitionPool;
  readonly dir: string;
}

async function migrate(
  { partition, dir }: Project,
  direction: 'up' | 'down',
): Promise<{ readonly name: string }[]> {
  // #region wire
  return partition.withConnection((client) =>
    runner({ dbClient: client, dir, direction, migrationsTable: 'migrations' }),
  );
  // #endregion
}

playOwn('pg: node-pg-migrate', servePg, {
  async open(partition): Promise<Project> {
    const dir = await mkdtemp(join(tmpdir(), 'watertight-migrations-'));
    const sql = `-- Up Migration
create table orders (id int);
-- Down Migration
drop table orders;
`;
    await writeFile(join(dir, '1700000000000_orders.sql'), sql);
    return { partition, dir };
  },
  behaviours: {
    async migrations(project) {
      const [migration] = await migrate(project, 'up');
      assert.equal(migration?.name, '1700000000000_orders');
      await project.partition.query('select id from orders');
      await migrate(project, 'down');
      await assert.rejects(project.partition.query('select id from orders'), { code: '42P01' });
    },
    async 'one at a time'(project) {
      const outcomes = await Promise.allSettled([migrate(project, 'up'), migrate(project, 'up')]);
      const refused = outcomes.filter(({ status }) => status === 'rejected');
      assert.equal(refused.length, 1, 'its lock is one of the session');
      await migrate(project, 'down');
    },
  },
  call: (project) => migrate(project, 'up'),
  async close({ partition, dir }) {
    await partition.end();
    await rm(dir, { recursive: true });
  },
  closeEndsPartition: true,
});
