import type { RehearsalError } from '../errors.ts';
import { explainFailure, networkMeanings, type Meanings } from '../failures.ts';

const noSuchServer = 'the other side hung up; is it a MySQL server?';

const meanings: Meanings = {
  ...networkMeanings('MySQL'),
  // A server of another kind waits for the client to begin.
  ETIMEDOUT: 'no MySQL server answered in time',
  PROTOCOL_CONNECTION_LOST: noSuchServer,
  ER_ACCESS_DENIED_ERROR: 'the password or the user is wrong',
  ER_DBACCESS_DENIED_ERROR: 'the user may not use this database',
  ER_BAD_DB_ERROR: 'there is no such database',
  ER_HOST_NOT_PRIVILEGED: 'the server refuses this host',
  ER_HOST_IS_BLOCKED: 'the server refuses this host after too many errors',
  ER_SERVER_SHUTDOWN: 'the server is starting up or shutting down; try again in a moment',
  ER_CON_COUNT_ERROR: 'the server has no connection left',
  ER_TOO_MANY_USER_CONNECTIONS: 'the server has no connection left for this user',
  ER_USER_LIMIT_REACHED: 'the server has no connection left for this user',
  HANDSHAKE_NO_SSL_SUPPORT: 'the server has no TLS',
};

export const cannotConnect = (error: unknown, url: string): RehearsalError =>
  explainFailure(error, url, meanings, hint);

/** What mysql2 makes of a greeting that is none. */
function hint(said: string): string {
  return /packet|handshake|protocol/i.test(said) ? `${said}; is it a MySQL server?` : said;
}
