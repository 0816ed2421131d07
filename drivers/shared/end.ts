import { Faults } from '../../src/config.ts';
import type { Partition } from '../../src/partition.ts';

/** How long a socket that is being closed may take before it is destroyed. */
export const CLOSE_GRACE_MILLIS = 1000;

export interface EndOptions {
  /**
   * Milliseconds after which connections that were never released are closed all the same, with a
   * process warning that names their holders.
   * @defaultValue waits for ever
   */
  timeoutMillis?: number | undefined;
  /**
   * Serves the callers that are in line already, instead of refusing them.
   * @defaultValue false
   */
  drain?: boolean | undefined;
}

/** @throws `ERR_CONFIG` */
export function checkEndOptions({ timeoutMillis }: EndOptions): void {
  const faults = new Faults();
  if (timeoutMillis !== undefined && !(timeoutMillis >= 0 && timeoutMillis < 2 ** 31)) {
    faults.add('timeoutMillis', 'expected milliseconds from 0 up', timeoutMillis);
  }
  faults.throwIfAny();
}

/** False when the limit passes first; undefined is no limit. */
export async function settlesWithin(
  promise: Promise<void>,
  limitMillis: number | undefined,
): Promise<boolean> {
  if (limitMillis === undefined) return promise.then(() => true);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMillis);
  });
  const first = await Promise.race([promise.then(() => true), limit]);
  clearTimeout(timer);
  return first;
}

/** What a driver does when its partition ends. */
interface Ending {
  /** Aborted some time after the end began: clean-ups have to come to an end. */
  readonly hurry: AbortController;
  /** Closes a connection that its holder did not release. */
  readonly takeBack: (connection: unknown, reason: Error) => void;
}

/** Ends a partition; settles when its last permit is back. */
export async function endPartition(
  partition: Partition,
  { timeoutMillis, drain }: EndOptions,
  { hurry, takeBack }: Ending,
): Promise<void> {
  const idle = drain ? partition.drain() : partition.close();
  const timer = setTimeout(() => hurry.abort(), CLOSE_GRACE_MILLIS);
  if (!(await settlesWithin(idle, timeoutMillis))) {
    const leaked = partition.holders.oldestFirst();
    warnOfLeaks(partition, leaked.length, timeoutMillis);
    const reason = new Error('the pool has ended');
    for (const { connection } of leaked) takeBack(connection, reason);
  }
  await idle;
  clearTimeout(timer);
}

function warnOfLeaks(partition: Partition, count: number, timeoutMillis: number | undefined): void {
  const holders = JSON.stringify(partition.describeHolders());
  process.emitWarning(
    `partition '${partition.name}': ${count} connections were not released within ` +
      `${timeoutMillis} ms of end() and are closed now: ${holders}`,
    { code: 'WATERTIGHT_LEAKED_CONNECTIONS' },
  );
}
