import { types } from 'node:util';
import { describeError, partsOf, RehearsalError } from '../errors.ts';
import { redactUrl } from '../redact.ts';

/** What the server or the network says, by code, and what it means to somebody who wants to connect. */
const meanings: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'this host is not known',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: 'the other side hung up; is it a PostgreSQL server?',
  ENOENT: 'there is no such socket',
  '28P01': 'the password is wrong',
  '28000': 'the server refuses this user',
  '3D000': 'there is no such database',
  '57P03': 'the server is starting up or shutting down; try again in a moment',
  '53300': 'the server has no connection left',
};

/** One clear line for a connection that could not be opened. Never shows a password. */
export function cannotConnect(error: unknown, url: string): RehearsalError {
  const meaning = meanings[codeOf(error) ?? ''];
  const said = describeError(error);
  const reason = meaning === undefined ? hint(said) : `${meaning} (${said})`;
  return new RehearsalError(
    'ERR_CANNOT_CONNECT',
    `cannot connect to ${redactUrl(url)}: ${reason}`,
    { cause: error },
  );
}

export function connectionLost(error: unknown): RehearsalError {
  return new RehearsalError(
    'ERR_CONNECTION_LOST',
    `the connection to the server was lost in the middle of the rehearsal: ${describeError(error)}`,
    { cause: error },
  );
}

/** An AggregateError carries its code in its parts in some versions of Node. */
function codeOf(error: unknown): string | undefined {
  const [part] = partsOf(error);
  if (part !== undefined) return codeOf(part);
  const code: unknown = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function hint(said: string): string {
  if (/timeout expired|timeout exceeded/i.test(said)) {
    return 'no PostgreSQL server answered in time';
  }
  if (/Connection terminated unexpectedly/i.test(said)) {
    return `the other side hung up (${said}); is it a PostgreSQL server?`;
  }
  return said;
}
