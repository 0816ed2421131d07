import type { ConnectionOptions } from 'mysql2';
import { onceWithin } from '../shared/limit.ts';
import { kFresh, type TrackedConnection } from './connection.ts';
import type { Physical } from './physical.ts';

type Done = (error?: Error | null) => void;

/** What only some versions of mysql2 have. */
interface Resettable {
  reset?(done: Done): unknown;
}

/**
 * Takes back what holders have set on the session: variables, temporary tables, locks, prepared
 * statements, an open transaction, the current database.
 * @param done is told once; within a limit, since a silent server must not keep the permit
 */
export function resetSession(
  connection: TrackedConnection,
  { limitMillis, config: { connectionConfig } }: Physical,
  done: (error?: Error) => void,
): void {
  const once = onceWithin(limitMillis, 'the reset of a session', (error) => {
    connection[kFresh] = true;
    done(error);
  });
  const settle: Done = (error) => once(error ?? undefined);
  const { user, database } = connectionConfig;
  const { reset } = connection as Resettable;
  const sameUser = connection.config.user === user;
  if (reset && database !== undefined && sameUser) {
    // COM_RESET_CONNECTION keeps the current database.
    reset.call(connection, (error) => {
      if (error) settle(error);
      else connection.query('USE ??', [database], settle);
    });
  } else {
    logInAgain(connection, connectionConfig, settle);
  }
}

/** The session begins anew, as whoever the pool was made for, in its database or in none. */
function logInAgain(
  connection: TrackedConnection,
  { user, password, database }: ConnectionOptions,
  settle: Done,
): void {
  // mysql2 would take what is missing here from what the last holder has changed to.
  Object.assign(connection.config, { user, password, database });
  connection.changeUser({}, settle);
}
