import { describe, expect, test } from '@jest/globals';
import { migrate } from './migrate.ts';

describe('what init cannot divide is listed, with the page that says how', () => {
  test.each([
    ["import { DataSource } from 'typeorm';\nnew DataSource({});", /^TypeORM/],
    ["import { TypeOrmModule as M } from '@nestjs/typeorm';\nM.forRootAsync({});", /^TypeORM/],
    ["const { Sequelize } = require('sequelize');\nnew Sequelize(url);", /^Sequelize/],
    ["import { PrismaClient } from '../generated/prisma';\nnew PrismaClient();", /^Prisma/],
    ["import { PrismaClient } from '@prisma/client';\nclass Db extends PrismaClient {}", /^Prisma/],
    [
      "import { PrismaPg } from '@prisma/adapter-pg';\nnew PrismaPg({ connectionString });",
      /^Prisma/,
    ],
    ["const knex =\n require('knex')({ client: 'pg' });", /^Knex/],
    [
      "import { drizzle } from 'drizzle-orm/node-postgres';\ndrizzle(process.env.URL!);",
      /^Drizzle/,
    ],
    ["import { MikroORM } from '@mikro-orm/core';\nMikroORM.init();", /^MikroORM/],
    ["import { Pool } from 'pg';\nclass Db extends Pool {}", /^a class of its own/],
    ["// wrapped\nexport { Pool } from 'pg';", /^hands Pool on/],
    ["const { Pool } = require('pg').native;\nnew Pool();", /native/],
    ["const mysql = require('mysql2');\nmysql.createPoolCluster();", /cluster/],
    ["const mysql = require('mysql');\nmysql.createPool({});", /older driver/],
    ["import { MongoClient } from 'mongodb';\nnew MongoClient(url);", /partitionClient/],
    [
      "import { MongooseModule as M } from '@nestjs/mongoose';\nM.forRoot(url);",
      /connectionFactory/,
    ],
    ["import mysql from '@fastify/mysql';\napp.register(mysql, {});", /@fastify\/mysql/],
  ])('%s', async (text, what) => {
    const { found, plan } = await migrate({ 'src/db.ts': text });
    expect(found.files[0]?.found.byHand).toEqual([
      {
        file: 'src/db.ts',
        line: 2,
        what: expect.stringMatching(what),
        page: expect.stringMatching(/^docs\/\w+\.md$/),
      },
    ]);
    expect(plan.divisions).toEqual([]);
  });

  test.each([
    "import { drizzle } from 'drizzle-orm/node-postgres';\ndrizzle(pool); drizzle({ client: pool });",
    "import { PrismaClient } from '@prisma/client';\nnew PrismaClient({ adapter });",
    "import { PrismaPg } from '@prisma/adapter-pg';\nnew PrismaPg(pool);",
    "import knex from 'knex';\nknex({ client: 'pg', connectionPool: pool });",
  ])('but not a library that is given a pool: %s', async (text) => {
    const { found } = await migrate({ 'src/db.ts': text });
    expect(found.files[0]?.found.byHand).toEqual([]);
  });
});

const pool = "import { Pool } from 'pg';\nexport const pool = new Pool();\n";

test.each([
  ...['test/db.ts', 'src/db.test.ts', 'src/db.e2e-spec.ts', 'scripts/load.js', 'prisma/seed.ts'],
  ...['db/migrations/1.ts', 'src/__mocks__/db.ts', 'seed-catalog.ts'],
])('a pool of tests and scripts stays as it is, and is told of: %s', async (file) => {
  const { found, plan } = await migrate({ [file]: pool });
  expect(plan.divisions).toEqual([]);
  expect(found.files[0]?.found.aside).toMatchObject([{ file, line: 2 }]);
});

test('a mock of a driver is told of, since the pool no longer comes from there', async () => {
  const { found } = await migrate({ 'db.test.ts': "jest.mock('pg');\nvi.mock('mysql2/promise');" });
  expect(found.files[0]?.found.mocks).toMatchObject([{ line: 1 }, { line: 2 }]);
});

test('what is divided already is not divided again', async () => {
  const { found, plan } = await migrate({
    'pg.js': pool.replace("'pg'", "'watertight/pg'"),
    'my.js': "const m = require('watertight/mysql2/promise');\nm.createPool({});",
    'mongo.js':
      "import m from 'mongoose';\nimport { partitionConnection } from 'watertight/mongoose';\nm.connect(url);",
  });
  expect(plan.divisions).toEqual([]);
  expect(found.files.flatMap((one) => one.found.divided)).toHaveLength(3);
});

describe('which files are read', () => {
  test('not those of others, of a build, or declarations', async () => {
    const { found } = await migrate({
      ...Object.fromEntries(
        ['node_modules/x', 'dist', 'build', 'coverage', '.next', 'packages/a/dist'].map(
          (folder) => [`${folder}/db.js`, pool],
        ),
      ),
      'src/db.d.ts': pool,
      'src/db.cts': pool.replace("'pg'", '"pg"'),
    });
    expect(found.files.map(({ code }) => code.file)).toEqual(['src/db.cts']);
  });

  test('one that cannot be read keeps none of the others from being read', async () => {
    const { found, plan } = await migrate({
      'a.ts': `${pool}function (`,
      'b.js': pool,
      'packages/broken/package.json': '{',
    });
    expect(found.faults).toEqual([
      expect.stringMatching(/^packages\/broken\/package\.json: this is not JSON: /),
      expect.stringMatching(/^a\.ts:3: it cannot be parsed: /),
    ]);
    expect(plan.divisions.map(({ place }) => place.file)).toEqual(['b.js']);
  });
});

describe('the sizes', () => {
  test.each<[string, object]>([
    ['{ max: 20 }', { max: 20, partitions: { web: 16, batch: 4 } }],
    ['{}', { partitions: { web: 8, batch: 2 } }],
    ['{ max: 2 }', { max: 2, partitions: { web: 1, batch: 1 } }],
    ['{ max: 1 }', { max: 1, partitions: { web: 1 } }],
    ["{ poolSize: '30' }", { max: 30, partitions: { web: 24, batch: 6 } }],
  ])('are those of %s', async (options, config) => {
    const found = await migrate({ 'db.js': `import { Pool } from 'pg';\nnew Pool(${options});` });
    expect(found.config).toEqual({
      $schema: './node_modules/watertight/schema/watertight.config.schema.json',
      defaultPartition: 'web',
      ...config,
    });
  });

  test.each([
    ['process.env.MAX ?? 15', 12],
    ["parseInt(process.env.MAX || '5', 10)", 4],
    ['production ? 50 : 10', 8],
    ['MOST', 8],
  ])('fit into the least that max: %s may be, which stays in the code', async (max, web) => {
    const { config } = await migrate({
      'db.js': `import { Pool } from 'pg';\nconst MOST = 10;\nnew Pool({ max: ${max} });`,
    });
    expect(config).toMatchObject({ partitions: { web } });
    expect(config).not.toHaveProperty('max');
  });
});

describe('several pools are services of one file', () => {
  const services = async (files: Readonly<Record<string, string>>): Promise<string[]> => {
    const { config } = await migrate(files);
    return Object.keys((config as { services: object }).services);
  };
  const own = '{ "dependencies": { "pg": "8.20.0" } }';

  test('named after their packages', async () => {
    const apps = { 'apps/api/package.json': own, 'apps/worker/package.json': own };
    const files = { ...apps, 'apps/api/src/db.ts': pool, 'apps/worker/src/db.ts': pool };
    expect(await services(files)).toEqual(['api', 'worker']);
    expect((await migrate(files)).files['apps/api/src/db.ts']).toContain(
      "new Pool(loadConfig({}, { service: 'api' }))",
    );
  });

  test('or their names, or their files', async () => {
    const two = `${pool}const replica = new Pool();\n`;
    expect(await services({ 'db.ts': two })).toEqual(['pool', 'replica']);
    expect(await services({ 'a/index.ts': pool, 'b/index.ts': pool })).toEqual(['a', 'b']);
  });

  test('one that is made in either of two branches is one', async () => {
    const text = `import { Pool } from 'pg';\nlet p;\nif (x) p = new Pool({ a });\nelse p = new Pool({ b });\n`;
    const { config, files } = await migrate({ 'db.js': text });
    expect(config).not.toHaveProperty('services');
    expect(files['db.js']?.match(/loadConfig\(\)/g)).toHaveLength(2);
  });
});
