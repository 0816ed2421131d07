import { describe } from '@jest/globals';
import type { DatabaseName } from './databases.ts';

/**
 * Where the set-up of the tests leaves the URL of a server. Not in the variable in which users give
 * theirs: to have been given a server is something else than to have started one.
 */
const variableOf = (name: DatabaseName): string => `WATERTIGHT_TEST_${name.toUpperCase()}`;

export function provideUrl(name: DatabaseName, url: string): void {
  process.env[variableOf(name)] = url;
}

/** `describe` for tests that need the server of a database; without one they count as skipped. */
export const describeOn = (name: DatabaseName): typeof describe | typeof describe.skip =>
  process.env[variableOf(name)] ? describe : describe.skip;

/** @throws when the tests of the database run without its server */
export function urlOf(name: DatabaseName): string {
  const url = process.env[variableOf(name)];
  if (!url) throw new Error(`no server of ${name}: the set-up of the tests starts it`);
  return url;
}
