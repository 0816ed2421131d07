import { afterEach, describe, expect, test } from '@jest/globals';
import type { Database } from './database.ts';
import { databases, type DatabaseName } from './databases.ts';
import { describeOn } from './describe-on.ts';
import { isRequired } from './setup.ts';
import { startServer } from './start.ts';
import { urlOf } from './urls.ts';

const running = (from: string) => async (): Promise<never> =>
  ({ url: `of ${from}`, from, stop: async () => {} }) as never;
const failing = (reason: string) => async (): Promise<never> => {
  throw new Error(reason);
};

describe('the server for the tests of a database', () => {
  const database: Database = {
    ...databases.mysql,
    urlVariable: 'WATERTIGHT_TEST_OF_SERVERS_URL',
    startLocal: running('this machine'),
  };
  afterEach(() => {
    delete process.env[database.urlVariable];
  });

  test('is the one of the environment before all others', async () => {
    process.env[database.urlVariable] = 'mysql://given';
    const server = await startServer(database, running('a container'));
    expect(server).toMatchObject({ url: 'mysql://given', from: database.urlVariable });
  });

  test('is one in a container before one of this machine', async () => {
    expect(await startServer(database, running('a container'))).toMatchObject({
      from: 'a container',
    });
  });

  test('is one of this machine where there is no container', async () => {
    expect(await startServer(database, failing('no engine'))).toMatchObject({
      from: 'this machine',
    });
  });

  test('is missing for every reason that there is', async () => {
    const without: Database = { ...database, startLocal: failing('no mysqld') };
    await expect(startServer(without, failing('no engine'))).rejects.toThrow(
      'WATERTIGHT_TEST_OF_SERVERS_URL is not set; no engine; no mysqld',
    );
  });

  test.each<[NodeJS.ProcessEnv, boolean]>([
    [{}, false],
    [{ CI: 'false' }, false],
    [{ CI: 'true' }, true],
    [{ CI: 'true', WATERTIGHT_MAY_SKIP: 'mariadb' }, true],
    [{ CI: 'true', WATERTIGHT_MAY_SKIP: 'mariadb,mysql' }, false],
  ])('may be missing, with %p: not %p', (env, required) => {
    expect(isRequired('mysql', env)).toBe(required);
  });
});

const names = Object.keys(databases) as DatabaseName[];

for (const name of names) {
  describeOn(name)(`a server of ${name}`, () => {
    test('answers', async () => {
      await expect(databases[name].recipe.ping(urlOf(name))).resolves.toBeUndefined();
    });
  });
}
