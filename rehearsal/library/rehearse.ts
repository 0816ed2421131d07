import { drivers, loadDriver } from '../drivers.ts';
import { rehearse as play } from '../rehearse.ts';
import type { Scenario } from '../scenario.ts';
import { checkOptions } from './check-options.ts';
import type { RehearseOptions } from './options.ts';
import { look, withOwnPools } from './pools.ts';
import { resultOf, type RehearsalResult } from './result.ts';

/** For a server that is started before the size of the pool is known. */
const usualConnections = 100;

/**
 * Rehearses an incident on your own pool: the same load on an undivided pool, on your partitions
 * without what disturbs, and on your partitions with it. About a minute at the usual time scale. Writes
 * nothing, creates no table, and leaves no connection, timer or listener behind.
 *
 * **When to use.** In a test that is to fail on the day somebody removes the walls.
 *
 * @throws `ERR_REHEARSAL_OPTION` with every fault of the options at once, a partition that the pool
 * does not have among them; what `createPool` throws; `ERR_NO_SERVER`, `ERR_CANNOT_CONNECT`,
 * `ERR_TOO_FEW_CONNECTIONS` and `ERR_CONNECTION_LOST` for a server on which nothing can be
 * rehearsed; the signal's reason. A missed objective is no error: see `met` and `summary`.
 */
export async function rehearse(
  scenario: Scenario,
  options: RehearseOptions,
): Promise<RehearsalResult> {
  checkOptions(scenario, options);
  options.signal?.throwIfAborted();
  if (options.url !== undefined) return playOn(options.url, scenario, options);
  const server = await drivers[options.driver ?? 'pg'].startServer({
    connections: (options.max ?? usualConnections) + 1,
    ...(options.signal && { signal: options.signal }),
  });
  try {
    return await playOn(server.url, scenario, options);
  } finally {
    await server.stop();
  }
}

async function playOn(
  url: string,
  scenario: Scenario,
  options: RehearseOptions,
): Promise<RehearsalResult> {
  const { driver: name = 'pg', timeScale, seed, onProgress } = options;
  const driver = await loadDriver(name);
  const rehearsed = await look(driver, scenario, url, options);
  // A fault of the listener must not be lost among the timers that call it.
  const failed = new AbortController();
  const rehearsal = await play({
    ...rehearsed,
    driver: withOwnPools(driver, options),
    url,
    scenario: drivers[name].adapt(scenario),
    ...(timeScale !== undefined && { timeScale }),
    ...(seed !== undefined && { seed }),
    signal: options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal,
    onProgress(progress) {
      try {
        onProgress?.(progress);
      } catch (error) {
        failed.abort(error);
      }
    },
  });
  return resultOf(rehearsal);
}
