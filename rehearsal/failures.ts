import { types } from 'node:util';
import { describeError, partsOf, RehearsalError } from './errors.ts';
import { redactUrl } from './redact.ts';

/** What a server or the network says, by code, and what it means to somebody who wants to connect. */
export type Meanings = Readonly<Record<string, string>>;

export const networkMeanings = (product: string): Meanings => ({
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'this host is not known',
  EAI_AGAIN: 'the name of the host cannot be resolved now',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the host does not answer',
  ECONNRESET: `the other side hung up; is it a ${product} server?`,
  ENOENT: 'there is no such socket',
});

/**
 * One clear line for a connection that could not be opened. Never shows a password.
 * @param hint for what has no code, or none that is known
 */
export function explainFailure(
  error: unknown,
  url: string,
  meanings: Meanings,
  hint: (said: string) => string = (said) => said,
): RehearsalError {
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

/** The server does not say how many connections it has left. */
export function tellsNoRoom(error: unknown): RehearsalError {
  const message = `the server does not tell how many connections it accepts: ${describeError(error)}`;
  return new RehearsalError('ERR_CANNOT_CONNECT', message, { cause: error });
}

/** An AggregateError carries its code in its parts in some versions of Node. */
function codeOf(error: unknown): string | undefined {
  const [part] = partsOf(error);
  if (part !== undefined) return codeOf(part);
  const code: unknown = types.isNativeError(error) && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
