// A small web service with a batch in it, as one would write it without knowing of a rehearsal.
// Asked at /order or /search it answers after one statement; at /reports with those of its batch.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'watertight/pg';

const { connectionString, divided, max, partitions, sharedTimeoutMillis, holds, batch } =
  JSON.parse(process.argv[2]);

const pool = divided
  ? new Pool({ connectionString, max, partitions })
  : new pg.Pool({ connectionString, max, connectionTimeoutMillis: sharedTimeoutMillis });
const poolOf = (name) => (divided ? pool.partition(name) : pool);
pool.on('error', () => undefined);

/** A service that has been up for a while has its connections. */
async function warmUp() {
  const sizes = divided
    ? Object.entries(partitions).map(([name, { size }]) => [name, size])
    : [['', max]];
  const clients = await Promise.all(
    sizes.flatMap(([name, size]) =>
      Array.from({ length: size }, () =>
        divided ? poolOf(name).connect({ acquireTimeoutMillis: 10_000 }) : pool.connect(),
      ),
    ),
  );
  for (const client of clients) client.release();
}

let reports = 0;

async function work(end) {
  while (Date.now() < end) {
    let client;
    try {
      client = await poolOf('batch').connect();
    } catch {
      await sleep(batch.comeBackMillis);
      continue;
    }
    while (Date.now() < end) {
      await client.query('select pg_sleep($1)', [batch.holdMillis / 1_000]);
      reports += 1;
    }
    client.release();
  }
}

async function runBatch() {
  await sleep(batch.fromMillis);
  const end = Date.now() + batch.forMillis;
  await Promise.all(Array.from({ length: batch.workers }, () => work(end)));
}

let batchDone;

async function answer({ url }, response) {
  const name = url.split('/')[1];
  if (name === 'reports') {
    await batchDone;
    response.end(String(reports));
    return;
  }
  batchDone ??= runBatch();
  try {
    await poolOf(name).query('select pg_sleep($1)', [holds[name] / 1_000]);
    response.end('done');
  } catch {
    response.writeHead(503).end();
  }
}

const server = createServer((request, response) => void answer(request, response));
await warmUp();
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.once('disconnect', async () => {
  server.close();
  await pool.end();
});
