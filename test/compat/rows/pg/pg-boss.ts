import assert from 'node:assert/strict';
import { PgBoss } from 'pg-boss';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';

playOwn('pg: pg-boss', servePg, {
  async open(partition) {
    // #region wire
    const boss = new PgBoss({
      db: { executeSql: (text, values) => partition.query(text, values) },
    });
    // #endregion
    boss.on('error', () => {});
    await boss.start();
    await boss.createQueue('invoices');
    return boss;
  },
  behaviours: {
    async jobs(boss) {
      const id = await boss.send('invoices', { number: 1 });
      const [job] = await boss.fetch<{ number: number }>('invoices');
      assert.equal(job?.id, id);
      assert.equal(job?.data.number, 1);
      await boss.complete('invoices', job!.id);
    },
    async workers(boss) {
      const done = new Set<number>();
      const all = new Promise<void>((resolve) => {
        void boss.work<{ number: number }>(
          'invoices',
          { batchSize: 10, pollingIntervalSeconds: 0.5 },
          async (jobs) => {
            for (const { data } of jobs) done.add(data.number);
            if (done.size === 20) resolve();
          },
        );
      });
      await Promise.all(
        Array.from({ length: 20 }, (_, number) => boss.send('invoices', { number })),
      );
      await all;
      await boss.offWork('invoices');
    },
  },
  call: (boss) => boss.send('invoices', { number: 21 }),
  close: (boss) => boss.stop({ graceful: true }),
  closeEndsPartition: false,
});
