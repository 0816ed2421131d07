import type { TrackedClient } from './client.ts';
import { onceWithin } from '../shared/limit.ts';

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

/**
 * Takes back what the partition before has set on the session, in one round trip.
 * @param limitMillis after which a server that does not answer must not keep the permit any longer
 * @param done is told once
 */
export function resetSession(
  client: TrackedClient,
  limitMillis: number,
  done: (error?: Error) => void,
): void {
  const once = onceWithin(limitMillis, 'the reset of a session', done);
  client.query(RESET, (error) => once(error ?? undefined));
}
