import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Pool } from 'watertight/pg';
import { countConnections } from '../../support/pg-witness.ts';
import { urlFrom } from '../../support/urls.ts';

const application_name = 'compat worker-threads';

/** Workers of Node 20 do not have the loader of TypeScript that their parent has. */
const thisProgram = `import('tsx/esm/api').then(({ tsImport }) =>
  tsImport('${import.meta.url}', '${import.meta.url}'))`;

/** What a worker is told to do; it answers with what came of it. */
type Order = 'fill order' | 'query order' | 'query batch' | 'release' | 'in use' | 'end';

if (isMainThread) {
  describe('pg: worker_threads', () => {
    const workers: Worker[] = [];
    const tell = async (worker: Worker, order: Order): Promise<unknown> => {
      worker.postMessage(order);
      const [answer] = (await once(worker, 'message')) as [unknown];
      return answer;
    };
    const tellAll = (order: Order): Promise<unknown[]> =>
      Promise.all(workers.map((worker) => tell(worker, order)));

    before(() => {
      for (const _ of [1, 2]) {
        workers.push(new Worker(thisProgram, { eval: true, workerData: { threads: 2 } }));
      }
    });
    after(() => Promise.all(workers.map((worker) => worker.terminate())));

    test('divided max', async () => {
      assert.deepEqual(await tellAll('fill order'), ['filled', 'filled']);
      assert.deepEqual(await tellAll('query batch'), ['answered', 'answered']);
      assert.equal(await countConnections(application_name), 2 * 2 + 2);
      await tellAll('release');
    });

    test('walls of each thread', async () => {
      const [first, second] = workers as [Worker, Worker];
      await tell(first, 'fill order');
      assert.equal(await tell(first, 'query order'), 'ERR_ACQUIRE_TIMEOUT');
      assert.equal(await tell(first, 'query batch'), 'answered');
      assert.equal(await tell(second, 'query order'), 'answered');
      await tell(first, 'release');
    });

    test('nothing in use afterwards', async () => {
      assert.deepEqual(await tellAll('in use'), [0, 0]);
    });

    test('shutdown', async () => {
      const [first, second] = workers as [Worker, Worker];
      assert.equal(await tell(first, 'end'), 'ended');
      assert.equal(await tell(second, 'query order'), 'answered');
      await tell(second, 'end');
      assert.equal(await countConnections(application_name), 0);
    });
  });
} else {
  const connectionString = urlFrom('COMPAT_PG_URL');
  // #region wire
  const { threads } = workerData;
  const pool = new Pool({
    connectionString,
    application_name,
    max: 8 / threads, // of 8 for the process
    partitions: { order: { size: 2, acquireTimeoutMillis: 500 }, batch: 2 },
  });
  // #endregion
  const order = pool.partition('order');
  const answered = () => 'answered';
  const codeOf = ({ code }: { code?: string }) => code;
  let release = (): void => {};
  const orders: Record<Order, () => unknown> = {
    async 'fill order'() {
      const clients = [await order.connect(), await order.connect()];
      release = () => clients.forEach((client) => client.release());
      return 'filled';
    },
    'query order': () => order.query('select 1').then(answered, codeOf),
    'query batch': () => pool.partition('batch').query('select 1').then(answered, codeOf),
    release: () => release(),
    'in use': () => order.stats().gauges.inUse,
    end: () => pool.end().then(() => 'ended'),
  };
  parentPort!.on('message', (told: Order) => {
    void Promise.resolve(orders[told]()).then((answer) => parentPort!.postMessage(answer));
  });
}
