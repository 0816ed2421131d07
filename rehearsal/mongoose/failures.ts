import { types } from 'node:util';
import type { RehearsalError } from '../errors.ts';
import { explainFailure, networkMeanings, type Meanings } from '../failures.ts';

const meanings: Meanings = networkMeanings('MongoDB');

export const cannotConnect = (error: unknown, url: string): RehearsalError =>
  explainFailure(rootOf(error), url, meanings, hint);

/** The driver says what it was looking for, and beneath that what stood in its way. */
function rootOf(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { reason, cause } = error as {
    reason?: { servers?: ReadonlyMap<string, { error?: unknown }> };
    cause?: unknown;
  };
  const [server] = reason?.servers?.values() ?? [];
  if (server?.error) return rootOf(server.error);
  return types.isNativeError(cause) ? rootOf(cause) : error;
}

function hint(said: string): string {
  if (/authentication failed|unsupported authentication|requires authentication/i.test(said)) {
    return `the user or the password is wrong (${said})`;
  }
  if (/timed out|server selection|no primary/i.test(said)) {
    return `no MongoDB server answered in time (${said})`;
  }
  if (/bytes|BSON|message|closed/i.test(said)) return `${said}; is it a MongoDB server?`;
  return said;
}
