import { createServer, type AddressInfo } from 'node:net';
import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';
import type { BenchServer } from './server.ts';

/** A PostgreSQL for the bench, on a socket and on a free port of the loopback address. */
export async function startPostgres(
  connections: number,
): Promise<BenchServer<'unix socket' | 'tcp'>> {
  const port = await freePort();
  const server = await startEmbeddedPostgres({ connections, loopbackPort: port });
  const urls = {
    'unix socket': server.url,
    tcp: `postgres://postgres@127.0.0.1:${port}/postgres?sslmode=disable`,
  };
  return { urls, stop: () => server.stop() };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
