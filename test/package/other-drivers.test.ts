import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { makeConsumer, type Consumer } from './consumer.ts';

let consumer: Consumer;
let without: Consumer;

beforeAll(async () => {
  consumer = await makeConsumer(['mysql2', 'mongoose', '@types/node']);
  without = await makeConsumer([]);
});

afterAll(async () => {
  await consumer?.remove();
  await without?.remove();
});

const ok = (stdout: string): unknown => ({ code: 0, stdout, stderr: '' });

describe.each(['mysql2', 'mysql2/promise'])('of %s', (driver) => {
  const compare = `
    const missing = Object.keys(stock).filter((name) => !(name in ours));
    const own = Object.keys(stock).filter((name) => ours[name] !== stock[name]);
    const missingInDefault = Object.getOwnPropertyNames(stock.default ?? stock)
      .filter((name) => !Object.hasOwn(ours.default, name));
    console.log(JSON.stringify({ missing, missingInDefault, own: own.filter((name) => name !== 'default'),
      same: ours.default.createPool === ours.createPool }));`;
  const expected = (own: readonly string[]): unknown =>
    ok(`${JSON.stringify({ missing: [], missingInDefault: [], own, same: true })}\n`);

  test('an ES module gets our createPool by name and by default, and all other names', async () => {
    const code = `import * as stock from '${driver}';
      import * as ours from 'watertight/${driver}';
      import { createPool, createConnection, escape } from 'watertight/${driver}';
      if (!createPool || createConnection !== stock.createConnection || !escape) throw 'missing';
      ${compare}`;
    const { stdout } = await consumer.node('names-mysql2.mjs', code);
    // Newer versions of Node add a name for the whole module.
    const own = JSON.parse(stdout.replace(',"module.exports"', '')) as unknown;
    expect(own).toEqual({ missing: [], missingInDefault: [], own: ['createPool'], same: true });
  });

  test('a CommonJS module gets them, too', async () => {
    const code = `const stock = require('${driver}');
      const ours = require('watertight/${driver}'); ${compare}`;
    const own = driver === 'mysql2' ? ['createPool', 'createPoolPromise'] : ['createPool'];
    expect(await consumer.node('names-mysql2.cjs', code)).toEqual(expected(own));
  });

  test.each(['mts', 'cts'])('type-checks strictly, declarations included (%s)', async (kind) => {
    await consumer.write(`mysql2-types.${kind}`, mysql2Types(driver));
    expect(await consumer.typecheck([`mysql2-types.${kind}`])).toEqual(ok(''));
  });
});

describe('a mysql2 that is missing', () => {
  test.each(['mysql2', 'mysql2/promise'])(
    'is named with the command to install it: %s',
    async (driver) => {
      const code = `await import('watertight/${driver}').catch(({ message }) => console.log(message));`;
      const { stdout } = await without.node('missing.mjs', code);
      expect(stdout).toMatch(
        /^Cannot find package 'mysql2' imported from .*\/npm-install-mysql2\S*\.js\n$/,
      );
      const required = `try { require('watertight/${driver}') } catch ({ message }) { console.log(message) }`;
      expect(await without.node('missing.cjs', required)).toEqual(
        ok(
          "watertight/mysql2 needs the package 'mysql2', which is not installed: npm install mysql2\n",
        ),
      );
    },
  );
});

describe('watertight/mongoose', () => {
  const program = `
    const { connection } = mongoose;
    const partitioned = partitionConnection(connection, { partitions: { order: 8, batch: 4 } });
    const order = partitioned.partition('order');
    console.log(order instanceof mongoose.Connection, partitioned.stats().totals.order.gauges.size);`;

  test('divides a connection for an ES module and for a CommonJS module', async () => {
    const imported = `import mongoose from 'mongoose';
      import { partitionConnection } from 'watertight/mongoose';${program}`;
    const required = `const mongoose = require('mongoose');
      const { partitionConnection } = require('watertight/mongoose');${program}`;
    expect(await consumer.node('mongoose.mjs', imported)).toEqual(ok('true 0\n'));
    expect(await consumer.node('mongoose.cjs', required)).toEqual(ok('true 0\n'));
  });

  test('needs no mongoose of its own: it divides what it is given', async () => {
    const code = `import { partitionConnection } from 'watertight/mongoose';
      console.log(typeof partitionConnection);`;
    expect(await without.node('own.mjs', code)).toEqual(ok('function\n'));
  });

  test('type-checks in ES modules and CommonJS, and takes no misspelt name', async () => {
    const types = `import mongoose from 'mongoose';
      import { partitionConnection } from 'watertight/mongoose';
      const partitioned = partitionConnection(mongoose.connection, {
        partitions: { order: { size: 8 }, batch: 4 }, defaultPartition: 'order' });
      const order: mongoose.Connection = partitioned.partition('order');
      void order;`;
    await consumer.write('mongoose.mts', types);
    await consumer.write('mongoose.cts', types);
    expect(await consumer.typecheck(['mongoose.mts', 'mongoose.cts'])).toEqual(ok(''));
    await consumer.write('misspelt-handle.mts', `${types} partitioned.partition('ordr');`);
    const { stdout } = await consumer.typecheck(['misspelt-handle.mts']);
    expect(stdout).toMatch(
      /'"ordr"' is not assignable to parameter of type '("order"|"batch"|\W)+'/,
    );
  });
});

const mysql2Types = (driver: string): string => `
import mysql2, { createPool, type Pool, type PoolConnection, type RowDataPacket } from 'watertight/${driver}';

export const pool = createPool({
  uri: 'mysql://user@host/shop', connectionLimit: 20, partitions: { order: 8, batch: { size: 4 } },
});
export const stock: Pool = pool.partition('order');
export const escaped: string = pool.partition('batch').escape(1) + mysql2.escape(2);
export const use = (connection: PoolConnection): void => connection.release();
export type Rows = RowDataPacket[];
// @ts-expect-error: a misspelt name
export const misspelt = (): unknown => pool.partition('ordr');
void pool.end();
`;
