import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';

declare global {
  var stopTestServer: (() => Promise<void>) | undefined;
}

/** A PostgreSQL for all tests: `PG_URL` if given, else an embedded one. */
export default async function setup(): Promise<void> {
  if (process.env['PG_URL']) return;
  const server = await startEmbeddedPostgres({ connections: 80 });
  process.env['PG_URL'] = server.url;
  globalThis.stopTestServer = () => server.stop();
}
