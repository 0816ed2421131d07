import assert from 'node:assert/strict';
import { test } from 'node:test';
import express, { type ErrorRequestHandler } from 'express';
import { isAcquireError, Partitioner } from 'watertight';
import { listening, playFramework } from '../../support/framework.ts';
import { servePg } from '../../support/pg.ts';

playFramework('pg: express', servePg, {
  start({ order: partition }) {
    const app = express().set('env', 'test'); // does not write errors to the console
    // #region wire
    app.get('/names', async (_request, response) => {
      const { rows } = await partition.query('select name from items order by id');
      response.json(rows.map(({ name }) => name));
    });
    // #endregion
    app.post('/names/:name', async ({ params }, response) => {
      await partition.query('insert into items (name) values ($1)', [params.name]);
      response.sendStatus(201);
    });
    return listening(app.listen(0, '127.0.0.1'));
  },
  ends: 'nothing',
});

test('an error handler finds the acquire error that a library has wrapped', async () => {
  const partitioner = new Partitioner({ partitions: { llm: 1 } });
  await partitioner.acquire('llm');
  const app = express().set('env', 'test');
  app.get('/', async () => {
    await partitioner.acquire('llm', { acquireTimeoutMillis: 0 }).catch((cause) => {
      throw new Error('Failed query: select 1', { cause });
    });
  });
  // As in docs/errors.md.
  const acquireErrorIn = (error: unknown): unknown =>
    isAcquireError(error) ? error : error instanceof Error && acquireErrorIn(error.cause);
  const unwrap: ErrorRequestHandler = (error, _request, _response, next) =>
    next(acquireErrorIn(error) || error);
  app.use(unwrap);
  const { url, close } = await listening(app.listen(0, '127.0.0.1'));
  const answer = await fetch(url);
  await close();
  assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '2']);
});
