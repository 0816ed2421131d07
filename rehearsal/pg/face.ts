import { startEmbeddedPostgres } from '../embedded/server.ts';
import type { DriverFace } from '../subject.ts';
import { parsePostgresUrl, postgresUrlExample } from './url.ts';

export const pgFace: DriverFace = {
  product: 'PostgreSQL',
  exampleUrl: postgresUrlExample,
  checkUrl: (url) => void parsePostgresUrl(url),
  adapt: (scenario) => scenario,
  load: async () => (await import('./index.ts')).pgRehearsal,
  ownServer: 'an embedded PostgreSQL',
  startServer: startEmbeddedPostgres,
};
