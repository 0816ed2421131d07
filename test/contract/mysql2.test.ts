import type { PoolConnection } from 'mysql2';
import type { PoolConnection as PromisePoolConnection } from 'mysql2/promise';
import { describe } from '@jest/globals';
import { describeOn } from '../servers/describe-on.ts';
import {
  connect,
  killOnServer,
  makeUser,
  openMysqlProxy,
  openPool,
  openPromisePool,
  rows,
  until,
} from '../support/mysql.ts';
import { describeContract } from './contract.ts';
import type { Driver, HoldOptions, OpenedPool, OpenOptions } from './driver.ts';

let pools = 0;

/** The options of a pool whose connections the server can count, through a proxy that may be slow. */
async function prepare({ max, connectMillis = 0, ...options }: OpenOptions): Promise<{
  readonly options: object;
  readonly count: () => Promise<number>;
}> {
  const { proxy, through } = await openMysqlProxy();
  proxy.delayMillis = connectMillis;
  const { login, count } = await makeUser(`contract_${++pools % 10}`);
  return { options: { ...through, ...login, connectionLimit: max, ...options }, count };
}

type Held = Awaited<ReturnType<OpenedPool['hold']>>;

const held = (connection: PoolConnection | PromisePoolConnection): Held => {
  const { threadId } = connection;
  return {
    id: threadId,
    release: async () => connection.release(),
    async kill() {
      const core = 'connection' in connection ? connection.connection : connection;
      let gone = false;
      core.once('error', () => (gone = true));
      core.once('end', () => (gone = true));
      await killOnServer(threadId);
      await until(() => gone);
    },
  };
};

const callback: Driver = {
  name: 'mysql2',
  seesStaleRelease: false,
  endsPartitions: true,
  async open(given) {
    const { options, count } = await prepare(given);
    const pool = openPool<string>(options);
    const of = (name: string | undefined): typeof pool =>
      (name === undefined ? pool : pool.partition(name)) as typeof pool;
    const take = (name: string | undefined, holdOptions?: HoldOptions): Promise<PoolConnection> =>
      holdOptions === undefined
        ? connect(of(name))
        : new Promise((resolve, reject) => {
            of(name).getConnection(
              (error, connection) => (error ? reject(error) : resolve(connection)),
              holdOptions,
            );
          });
    return {
      hold: async (name, holdOptions) => held(await take(name, holdOptions)),
      async query(name) {
        await rows(of(name), 'select 1');
      },
      stats: (name) => pool.partition(name).stats(),
      partitionOf: (name) => pool.partition(name),
      end: () => new Promise((resolve) => pool.end(() => resolve())),
      endPartition: (name) => new Promise((resolve) => pool.partition(name).end(() => resolve())),
      countConnections: count,
    };
  },
};

const promise: Driver = {
  name: 'mysql2/promise',
  seesStaleRelease: true,
  endsPartitions: true,
  async open(given) {
    const { options, count } = await prepare(given);
    const pool = openPromisePool<string>(options);
    const of = (name: string | undefined): typeof pool =>
      (name === undefined ? pool : pool.partition(name)) as typeof pool;
    return {
      hold: async (name, holdOptions) => held(await of(name).getConnection(holdOptions)),
      async query(name) {
        await of(name).query('select 1');
      },
      stats: (name) => pool.partition(name).stats(),
      partitionOf: (name) => pool.partition(name),
      end: () => pool.end(),
      endPartition: (name) => pool.partition(name).end(),
      countConnections: count,
    };
  },
};

describeOn('mysql')('the contract', () => {
  describe.each([callback, promise])('', (driver) => describeContract(driver));
});
