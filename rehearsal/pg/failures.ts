import type { RehearsalError } from '../errors.ts';
import { explainFailure, networkMeanings, type Meanings } from '../failures.ts';

const meanings: Meanings = {
  ...networkMeanings('PostgreSQL'),
  '28P01': 'the password is wrong',
  '28000': 'the server refuses this user',
  '3D000': 'there is no such database',
  '57P03': 'the server is starting up or shutting down; try again in a moment',
  '53300': 'the server has no connection left',
};

export const cannotConnect = (error: unknown, url: string): RehearsalError =>
  explainFailure(error, url, meanings, hint);

function hint(said: string): string {
  if (/timeout expired|timeout exceeded/i.test(said)) {
    return 'no PostgreSQL server answered in time';
  }
  if (/Connection terminated unexpectedly/i.test(said)) {
    return `the other side hung up (${said}); is it a PostgreSQL server?`;
  }
  return said;
}
