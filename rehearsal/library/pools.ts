/** Plugs the user's own pools into the rehearsal. */
import { resolveConfig, type PartitionsConfig } from '../../src/config.ts';
import type { RehearsedPartitions, Scenario } from '../scenario.ts';
import type { PluggableDriver, RehearsalDriver, Stock, Witness } from '../subject.ts';
import type { RehearseOptions } from './options.ts';
import { accept, sureOf } from './own-pool.ts';

/**
 * What is going to be rehearsed.
 * @throws `ERR_REHEARSAL_OPTION` with every fault, `ERR_CANNOT_CONNECT`, and what `createPool` throws.
 */
export async function look(
  driver: PluggableDriver,
  scenario: Scenario,
  url: string,
  { createPool, partitions = {}, max }: RehearseOptions,
): Promise<Stock> {
  if (createPool === undefined) return resolved(max, partitions);
  // A server that is not there, told before a pool is made that keeps trying.
  await (await driver.openWitness(url)).close();
  const label = driver.ownPools.labelUrl(url, 'watertight check');
  const given = await createPool({ url: label, max: max ?? scenario.max });
  const { pool, stock } = await accept('createPool', driver, given, (found) => [
    ...scenario.workloads.flatMap(({ partition }) => missing(partition, scenario, found)),
    ...(max === undefined || max === found.max
      ? []
      : [`max: createPool makes a pool of ${found.max} connections, got ${max}`]),
  ]);
  await pool.end();
  const rehearsed = scenario.workloads.map(({ partition }) => partition);
  return { max: stock.max, partitions: only(rehearsed, stock.partitions) };
}

function missing(name: string, scenario: Scenario, { partitions }: Stock): string[] {
  if (partitions[name] !== undefined) return [];
  const there = Object.keys(partitions).join(', ');
  return [
    `createPool: the pool has no partition '${name}', which ${scenario.name} plays; it has: ${there}`,
  ];
}

const only = (names: readonly string[], partitions: RehearsedPartitions): RehearsedPartitions =>
  Object.fromEntries(Object.entries(partitions).filter(([name]) => names.includes(name)));

function resolved(max: number | undefined, given: PartitionsConfig): Stock {
  const config = resolveConfig({ max, partitions: given });
  const entries = config.partitions.map(({ name, ...options }) => [name, options] as const);
  return { max: config.max, partitions: Object.fromEntries(entries) };
}

/** The driver with the user's pools in place of its own. */
export function withOwnPools(
  driver: PluggableDriver,
  { createPool, createSharedPool }: RehearseOptions,
): RehearsalDriver {
  const { ownPools } = driver;
  let witness: Witness | undefined;
  return {
    ...driver,
    async openWitness(url) {
      witness = await driver.openWitness(url);
      return witness;
    },
    ...(createPool && {
      async openPartitioned(options) {
        const { url, label, max } = options;
        const given = await createPool({ url: ownPools.labelUrl(url, label), max });
        const { pool } = await accept('createPool', driver, given, (now) => changes(options, now));
        const subject = ownPools.partitioned(given, options);
        return sureOf('createPool', driver, { pool, subject, label }, () => witness);
      },
    }),
    ...(createSharedPool && {
      async openShared(options) {
        const { url, label, max, acquireTimeoutMillis } = options;
        const request = { url: ownPools.labelUrl(url, label), max, acquireTimeoutMillis };
        const given = await createSharedPool(request);
        const { pool } = await accept('createSharedPool', driver, given, ({ max: own }) => {
          // The comparison is of the same number of connections; waiting for more would never end.
          if (own === max) return [];
          const expected = `${ownPools.undivided} of ${max} connections, the max it is given`;
          return [`createSharedPool: expected ${expected}, got ${own}`];
        });
        const subject = ownPools.shared(given, options);
        return sureOf('createSharedPool', driver, { pool, subject, label }, () => witness);
      },
    }),
  };
}

/** What is rehearsed is the pool that was looked at. */
function changes({ max, partitions }: Stock, now: Stock): string[] {
  const names = Object.keys(partitions);
  const [before, after] = [
    sizes({ max, partitions }),
    sizes({ max: now.max, partitions: only(names, now.partitions) }),
  ];
  if (before === after) return [];
  return [`createPool: expected the same pool at each call, at first ${before}, got ${after}`];
}

/** `20 connections, order 8, batch 4..6` */
function sizes({ max, partitions }: Stock): string {
  const each = Object.entries(partitions).map(
    ([name, { size, max: most = size }]) => `${name} ${size}${most === size ? '' : `..${most}`}`,
  );
  return [`${max} connections`, ...each.toSorted()].join(', ');
}
