import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import serverlessMysql, { type ServerlessMysql } from 'serverless-mysql';
import type { PartitionPool } from 'watertight/mysql2';
import { assertNothingInUse } from '../../support/assertions.ts';
import { serveMysql2 } from '../../support/mysql2.ts';
import type { Served } from '../../support/served.ts';

describe('mysql2: serverless-mysql', () => {
  let served: Served<PartitionPool>;
  let db: ServerlessMysql;
  const refused: { code?: string }[] = [];
  const names = async (): Promise<string[]> =>
    (await db.query<{ name: string }[]>('select name from items order by id')).map(
      ({ name }) => name,
    );

  before(async () => {
    served = await serveMysql2('mysql2: serverless-mysql');
    const { order: partition, url } = served;
    const onConnectError = (error: { code?: string }) => refused.push(error);
    // #region wire
    const mysql = serverlessMysql({
      config: url,
      library: partition.driver() as never,
      manageConns: false,
      onConnectError,
    });
    // #endregion
    db = mysql;
  });
  after(() => served?.stop());

  test('queries', async () => {
    await db.query('insert into items (name) values (?)', ['first']);
    assert.deepEqual(await names(), ['first']);
    assert.equal(served.inUse(), 1);
    await db.end();
  });

  test('transactions', async () => {
    const insert = 'insert into items (name) values (?)';
    const id = 'select connection_id() as id';
    const results = await db.transaction().query(id).query(insert, ['second']).query(id).commit();
    assert.deepEqual(results[0], results[2]);
    assert.deepEqual(await names(), ['first', 'second']);
  });

  test('rollback', async () => {
    const transaction = db.transaction().query('insert into items (name) values (?)', ['never']);
    await assert.rejects(transaction.query('select nonsense').commit(), /nonsense/);
    assert.deepEqual(await names(), ['first', 'second']);
  });

  test('walls', async () => {
    assert.ok(served.granted() >= 1);
    assert.equal(await served.connections(), 2, 'one of each partition');
  });

  test('short deadline', async () => {
    db.quit();
    await assertNothingInUse(served);
    const release = await served.fill();
    try {
      await assert.rejects(names(), /timeout exceeded when trying to get a connection.*'order'/);
      assert.deepEqual(
        refused.map(({ code }) => code),
        ['ERR_ACQUIRE_TIMEOUT'],
      );
      await served.queryBatch();
    } finally {
      await release();
    }
    assert.equal((await names()).length, 2);
  });

  test('nothing in use afterwards', async () => {
    db.quit();
    await assertNothingInUse(served);
  });

  test('shutdown', async () => {
    assert.ok(!served.orderEnded());
    await served.queryBatch();
  });
});
