import assert from 'node:assert/strict';
import { makeWorkerUtils, run, type WorkerUtils } from 'graphile-worker';
import { servePg } from '../../support/pg.ts';
import { playOwn } from '../../support/own.ts';
import type { PartitionPool } from 'watertight/pg';

interface Worker {
  readonly partition: PartitionPool;
  readonly utils: WorkerUtils;
}

playOwn('pg: graphile-worker', servePg, {
  async open(partition): Promise<Worker> {
    const utils = await makeWorkerUtils({ pgPool: partition });
    await utils.migrate();
    return { partition, utils };
  },
  behaviours: {
    async jobs({ partition, utils }) {
      const numbers = Array.from({ length: 20 }, (_, number) => number);
      const done = new Set<number>();
      let finish = (): void => {};
      const all = new Promise<void>((resolve) => (finish = resolve));
      const taskList = {
        invoice: async (payload: unknown) => {
          done.add((payload as { number: number }).number);
          if (done.size === numbers.length) finish();
        },
      };
      // #region wire
      const runner = await run({ pgPool: partition, taskList, noHandleSignals: true });
      // #endregion
      await Promise.all(numbers.map((number) => utils.addJob('invoice', { number })));
      await all;
      await runner.stop();
      assert.ok(!partition.ended);
    },
  },
  call: ({ utils }) => utils.addJob('invoice', { number: 21 }),
  close: ({ utils }) => utils.release(),
  closeEndsPartition: false,
});
