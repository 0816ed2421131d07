import { contained } from './contained.ts';
import type { RunningServer } from './database.ts';
import type { DatabaseName } from './databases.ts';

/**
 * Where the set-up of the tests leaves the URL of a server. Not in the variable in which users give
 * theirs: to have been given a server is something else than to have started one.
 */
const variableOf = (name: DatabaseName): string => `WATERTIGHT_TEST_${name.toUpperCase()}`;

export function provideServer(name: DatabaseName, { url, from }: RunningServer): void {
  process.env[variableOf(name)] = url;
  process.env[`${variableOf(name)}_FROM`] = from;
}

/** Whether more of these servers can be started, to do things to them. */
export const isContained = (name: DatabaseName): boolean =>
  process.env[`${variableOf(name)}_FROM`]?.startsWith(contained) === true;

/** Undefined where there is no server of this database. */
export const foundUrl = (name: DatabaseName): string | undefined => process.env[variableOf(name)];

/** @throws when the tests of the database run without its server */
export function urlOf(name: DatabaseName): string {
  const url = foundUrl(name);
  if (!url) throw new Error(`no server of ${name}: the set-up of the tests starts it`);
  return url;
}
