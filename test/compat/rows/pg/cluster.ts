import assert from 'node:assert/strict';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Pool } from 'watertight/pg';
import { obey, playParts, type Order, type Part } from '../../support/parts.ts';
import { countConnections } from '../../support/pg-witness.ts';
import { urlFrom } from '../../support/urls.ts';

const application_name = 'compat cluster';

function startProcess(): Part {
  const fork = (): Worker => cluster.fork({ WORKERS: '2' });
  let worker = fork();
  // As programs do it that are to go on when a worker dies.
  worker.on('exit', (_code, signal) => {
    if (signal === 'SIGKILL') worker = fork();
  });
  return {
    async tell(order) {
      worker.send(order);
      const [answer] = (await once(worker, 'message')) as [unknown];
      return answer;
    },
    async stop() {
      const gone = once(worker, 'exit');
      worker.kill();
      await gone;
    },
  };
}

/** It cannot give anything back: the server finds its connections closed. */
async function dieFull([first, second]: [Part, Part]): Promise<void> {
  const [dying] = Object.values(cluster.workers ?? {}) as [Worker];
  await first.tell('fill order');
  const gone = once(dying, 'exit');
  dying.process.kill('SIGKILL');
  await gone;
  assert.equal(await first.tell('query order'), 'answered');
  assert.equal(await second.tell('query order'), 'answered');
  // One of the new process, and what the other had before: two and one.
  while ((await countConnections(application_name)) > 4) await setTimeout(20);
}

if (cluster.isPrimary) {
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), execArgv: ['--import', 'tsx'] });
  playParts('pg: cluster', application_name, startProcess, {
    'a worker that dies takes nothing along': dieFull,
  });
} else {
  const connectionString = urlFrom('COMPAT_PG_URL');
  // #region wire
  const { WORKERS } = process.env;
  const pool = new Pool({
    connectionString,
    application_name,
    max: 8 / Number(WORKERS), // of 8 for all processes
    partitions: { order: { size: 2, acquireTimeoutMillis: 500 }, batch: 2 },
  });
  // #endregion
  const answer = obey(pool);
  process.on('message', (order: Order) => {
    void answer(order).then((result) => process.send!(result));
  });
}
