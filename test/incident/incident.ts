import { expect, test } from '@jest/globals';
import { monthEnd, rehearse, type RehearseOptions } from '../../rehearsal/library/index.ts';
import { describeOn } from '../servers/describe-on.ts';
import { urlOf } from '../servers/urls.ts';
import type { DatabaseName } from '../servers/databases.ts';

/** Twice of the 1.2: what a machine that is busy with something else spoils first. */
const scenario = { ...monthEnd, limits: { ...monthEnd.limits, p99AgainstBaseline: 2 } };

/** Its own short waits are left to the pool: walls show in who gets a connection. */
export const partitions = { order: 8, search: 8, batch: { size: 4, acquireTimeoutMillis: 0 } };

/** Month end on this server, by somebody's own pool. */
export function describeIncident(
  database: DatabaseName,
  server: RegExp,
  options: Omit<RehearseOptions, 'url'>,
): void {
  describeOn(database)(`month end on ${database}`, () => {
    test('takes down the shop on a shared pool, and with partitions nobody notices', async () => {
      const play = () => rehearse(scenario, { ...options, url: urlOf(database) });
      let result = await play();
      // Once more, as the machine was too busy for it to prove anything.
      if (result.void) result = await play();
      expect(result.summary).toMatch(/^The walls hold/);
      expect(result.met).toBe(true);
      expect(result.server).toMatch(server);
      expect(result.runs.map(({ name, serverPeak }) => [name, serverPeak])).toEqual([
        ['shared', 20],
        ['baseline', 20],
        ['partitioned', 20],
      ]);
    }, 900_000);
  });
}
