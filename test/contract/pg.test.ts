import pg from 'pg';
import { describeOn } from '../servers/describe-on.ts';
import { openPool, openStockPool } from '../support/pg.ts';
import { openProxy, through } from '../support/proxy.ts';
import { describeContract } from './contract.ts';
import type { Driver } from './driver.ts';

let pools = 0;

const driver: Driver = {
  name: 'pg',
  seesStaleRelease: true,
  endsPartitions: true,
  async open({ connectMillis = 0, ...options }) {
    const label = `contract ${++pools}`;
    const proxy = await openProxy();
    proxy.delayMillis = connectMillis;
    const pool = openPool<string>({ ...through(proxy), ...options, application_name: label });
    const outside = openStockPool({ max: 1 });
    const of = (name: string | undefined): pg.Pool =>
      name === undefined ? pool : pool.partition(name);
    return {
      async hold(name, holdOptions) {
        const client = await (name === undefined
          ? pool.connect(holdOptions)
          : pool.partition(name).connect(holdOptions));
        client.on('error', () => undefined);
        const { rows } = await client.query<{ id: number }>('select pg_backend_pid() as id');
        const id = rows[0]?.id as number;
        const release = client.release.bind(client);
        return {
          id,
          release: async () => release(),
          async kill() {
            const ended = new Promise((resolve) => client.once('end', resolve));
            await outside.query('select pg_terminate_backend($1)', [id]);
            await ended;
          },
        };
      },
      async query(name) {
        await of(name).query('select 1');
      },
      stats: (name) => pool.partition(name).stats(),
      partitionOf: (name) => pool.partition(name),
      end: () => pool.end(),
      endPartition: (name) => pool.partition(name).end(),
      async countConnections() {
        const { rows } = await outside.query<{ count: number }>(
          'select count(*)::int as count from pg_stat_activity where application_name = $1',
          [label],
        );
        return rows[0]?.count ?? NaN;
      },
    };
  },
};

describeOn('postgres')('the contract', () => describeContract(driver));
