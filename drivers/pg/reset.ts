import type { TrackedClient } from './client.ts';

/**
 * What `DISCARD ALL` does, less `DEALLOCATE ALL`: pg keeps a list of the statements it has prepared
 * on a client and would go on using names that the server has forgotten.
 * @see https://www.postgresql.org/docs/current/sql-discard.html
 */
const RESET = [
  'CLOSE ALL',
  'SET SESSION AUTHORIZATION DEFAULT',
  'RESET ALL',
  'UNLISTEN *',
  'SELECT pg_advisory_unlock_all()',
  'DISCARD PLANS',
  'DISCARD TEMP',
  'DISCARD SEQUENCES',
].join('; ');

/** Takes back what the partition before has set on the session, in one round trip. */
export function resetSession(client: TrackedClient, done: (error?: Error) => void): void {
  client.query(RESET, (error) => done(error ?? undefined));
}
