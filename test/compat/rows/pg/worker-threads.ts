import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Pool } from 'watertight/pg';
import { obey, playParts, type Order, type Part } from '../../support/parts.ts';
import { urlFrom } from '../../support/urls.ts';

const application_name = 'compat worker-threads';

/** Workers of Node 20 do not have the loader of TypeScript that their parent has. */
const thisProgram = `import('tsx/esm/api').then(({ tsImport }) =>
  tsImport('${import.meta.url}', '${import.meta.url}'))`;

function startThread(): Part {
  const worker = new Worker(thisProgram, { eval: true, workerData: { threads: 2 } });
  return {
    async tell(order) {
      worker.postMessage(order);
      const [answer] = (await once(worker, 'message')) as [unknown];
      return answer;
    },
    stop: () => worker.terminate(),
  };
}

if (isMainThread) {
  playParts('pg: worker_threads', application_name, startThread);
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
  const answer = obey(pool);
  parentPort!.on('message', (order: Order) => {
    void answer(order).then((result) => parentPort!.postMessage(result));
  });
}
