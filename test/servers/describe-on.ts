import { describe } from '@jest/globals';
import { databases, type DatabaseName } from './databases.ts';

/** `describe` for tests that need the server of a database; without one they count as skipped. */
export const describeOn = (name: DatabaseName): typeof describe | typeof describe.skip =>
  process.env[databases[name].urlVariable] ? describe : describe.skip;

/** @throws when the tests of the database run without its server */
export function urlOf(name: DatabaseName): string {
  const { urlVariable } = databases[name];
  const url = process.env[urlVariable];
  if (!url) throw new Error(`${urlVariable} is not set; the set-up of the tests sets it`);
  return url;
}
