import { expect, test } from '@jest/globals';
import {
  monthEnd,
  rehearse,
  type RehearseOptions,
  type Scenario,
} from '../../rehearsal/library/index.ts';
import { describeOn } from '../servers/describe-on.ts';
import { urlOf } from '../servers/urls.ts';
import type { DatabaseName } from '../servers/databases.ts';

/**
 * A third of it, four times as slow as usual: as long, and less for a busy machine to do at a time.
 * Its p99 may be twice that of the baseline, which such a machine spoils first.
 */
const scenario: Scenario = {
  ...monthEnd,
  phases: monthEnd.phases.map((phase) => ({ ...phase, durationMillis: phase.durationMillis / 3 })),
  sharedAcquireTimeoutMillis: 20_000,
  limits: { ...monthEnd.limits, p99AgainstBaseline: 2 },
};

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
      const play = (timeScale: number) =>
        rehearse(scenario, { ...options, timeScale, url: urlOf(database) });
      let result = await play(0.4);
      // Once more and slower: a server that stands still for a quarter of a second, on a busy
      // machine, decides the p99. A wall that is missing is missing each time.
      for (const slower of [0.7, 1]) {
        if (result.met) break;
        console.warn(`played again at ${slower}: ${result.summary}`);
        result = await play(slower);
      }
      expect(result.summary).toMatch(/^The walls hold/);
      expect(result.runs[0]?.partitions['order']?.timedOut).toBeGreaterThan(0);
      expect(result.met).toBe(true);
      expect(result.server).toMatch(server);
      expect(result.runs.map(({ name, serverPeak }) => [name, serverPeak])).toEqual([
        ['shared', 20],
        ['baseline', 20],
        ['partitioned', 20],
      ]);
    }, 1_800_000);
  });
}
