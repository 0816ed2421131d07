import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';
import { startMysql } from './mysql-server.ts';

declare global {
  var stopTestServers: (() => Promise<void>)[] | undefined;
}

/** The servers for all tests: those at `PG_URL` and `MYSQL_URL` if given, else our own. */
export default async function setup(): Promise<void> {
  const starts = {
    PG_URL: () => startEmbeddedPostgres({ connections: 80 }),
    MYSQL_URL: startMysql,
  };
  globalThis.stopTestServers = [];
  for (const [name, start] of Object.entries(starts)) {
    if (process.env[name]) continue;
    const server = await start();
    process.env[name] = server.url;
    globalThis.stopTestServers.push(() => server.stop());
  }
}
