import { NO_SERVER, type Transport } from '../transport.ts';
import { startChild } from './child.ts';
import { startPostgres } from './postgres.ts';
import type { BenchServer } from './server.ts';

/** Three partitions against one pool, both connected. */
const connections = 40;

const starts: Readonly<Record<'postgres' | 'mysql' | 'mongo', () => Promise<BenchServer>>> = {
  postgres: () => startPostgres(connections),
  mysql: async () => given(process.env['MYSQL_URL']) ?? startChild('mysql'),
  mongo: () => startChild('mongo'),
};

const given = (url: string | undefined): BenchServer | undefined =>
  url ? { urls: { MySQL: url }, stop: async () => {} } : undefined;

const serverOf = {
  'unix socket': 'postgres',
  tcp: 'postgres',
  MySQL: 'mysql',
  MongoDB: 'mongo',
} as const;

/** The servers of the bench, each started when it is first needed. */
export class Servers {
  readonly #started = new Map<string, Promise<BenchServer>>();

  async urlOf(transport: Transport): Promise<string> {
    if (transport === NO_SERVER) return NO_SERVER;
    const name = serverOf[transport];
    const starting = this.#started.get(name) ?? starts[name]();
    this.#started.set(name, starting);
    const { urls } = await starting;
    return urls[transport] as string;
  }

  async stop(): Promise<void> {
    const all = await Promise.allSettled(this.#started.values());
    for (const one of all) if (one.status === 'fulfilled') await one.value.stop();
  }
}
