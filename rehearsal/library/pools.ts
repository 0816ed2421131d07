/** Plugs the user's own pools into the rehearsal. */
import { resolveConfig, type PartitionsConfig } from '../../src/config.ts';
import { isRehearsalError } from '../errors.ts';
import { optionError } from '../option-error.ts';
import type { RehearsedPartitions, Scenario } from '../scenario.ts';
import type { PluggableDriver, RehearsalDriver, Stock } from '../subject.ts';
import type { RehearseOptions } from './options.ts';

/**
 * What is going to be rehearsed.
 * @throws `ERR_REHEARSAL_OPTION` with every fault, and what `createPool` throws.
 */
export async function look(
  { ownPools }: PluggableDriver,
  scenario: Scenario,
  url: string,
  { createPool, partitions = {}, max }: RehearseOptions,
): Promise<Stock> {
  if (createPool === undefined) return resolved(max, partitions);
  const request = { url: ownPools.labelUrl(url, 'watertight check'), max: max ?? scenario.max };
  const found = await ownPools.takeStock(() => createPool(request), url);
  const faults: string[] = [];
  const rehearsed: Record<string, RehearsedPartitions[string]> = {};
  for (const { partition } of scenario.workloads) {
    const one = found.partitions[partition];
    if (one === undefined) faults.push(missing(partition, scenario, found.partitions));
    else rehearsed[partition] = one;
  }
  if (max !== undefined && max !== found.max) {
    faults.push(`max: createPool makes a pool of ${found.max} connections, got ${max}`);
  }
  if (faults.length > 0) throw optionError(faults);
  return { max: found.max, partitions: rehearsed };
}

function missing(name: string, scenario: Scenario, found: RehearsedPartitions): string {
  const there = Object.keys(found).join(', ');
  return `createPool: the pool has no partition '${name}', which ${scenario.name} plays; it has: ${there}`;
}

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
  return {
    ...driver,
    cannotConnect: (error, url) =>
      isRehearsalError(error) ? error : driver.cannotConnect(error, url),
    ...(createPool && {
      async openPartitioned(options) {
        const request = { url: ownPools.labelUrl(options.url, options.label), max: options.max };
        return ownPools.partitioned(await createPool(request), options);
      },
    }),
    ...(createSharedPool && {
      async openShared(options) {
        const { url, label, max, acquireTimeoutMillis } = options;
        const request = { url: ownPools.labelUrl(url, label), max, acquireTimeoutMillis };
        return ownPools.shared(await createSharedPool(request), options);
      },
    }),
  };
}
