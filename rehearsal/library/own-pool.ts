/** Whether what a factory of the user has made can be rehearsed; each fault is told with its name. */
import { isRehearsalError, RehearsalError } from '../errors.ts';
import { optionError } from '../option-error.ts';
import type {
  NoPool,
  OwnPool,
  OwnPools,
  PluggableDriver,
  Stock,
  Subject,
  Witness,
} from '../subject.ts';

export type Factory = 'createPool' | 'createSharedPool';

/**
 * A pool that can be rehearsed; anything else is ended.
 * @param faultsOf what is wrong with its size and partitions
 * @throws `ERR_REHEARSAL_OPTION`, `ERR_CANNOT_CONNECT`
 */
export async function accept(
  factory: Factory,
  driver: PluggableDriver,
  given: unknown,
  faultsOf: (stock: Stock) => readonly string[],
): Promise<{ readonly pool: OwnPool; readonly stock: Stock }> {
  let found: OwnPool | NoPool | undefined;
  try {
    found = await driver.ownPools.inspect(given);
    const pool = poolOf(factory, driver.ownPools, found);
    const stock = await pool.stock();
    const faults = faultsOf(stock);
    if (faults.length > 0) throw optionError(faults);
    return { pool, stock };
  } catch (error) {
    // Why it is of no use is told, and not what ending it was like.
    await found?.end().catch(() => undefined);
    throw isRehearsalError(error) ? error : cannotConnect(driver, factory, error);
  }
}

function poolOf(
  factory: Factory,
  { divided, undivided }: OwnPools,
  found: OwnPool | NoPool,
): OwnPool {
  const isToBeDivided = factory === 'createPool';
  const expected = isToBeDivided
    ? `${divided}, which has partitions`
    : `${undivided} without partitions`;
  if ('isNot' in found) throw optionError([`${factory}: expected ${expected}; got ${found.isNot}`]);
  if (found.isDivided !== isToBeDivided) {
    const got = found.isDivided ? 'one with partitions' : 'one without';
    throw optionError([`${factory}: expected ${expected}; got ${got}`]);
  }
  if (!found.isEnded) return found;
  throw optionError([
    `${factory}: expected a new pool at each call, got one that has ended; ` +
      'each is ended after its run, so it is to be made inside the function',
  ]);
}

/** What is to be played on a pool of the user's own. */
interface Made {
  readonly pool: OwnPool;
  readonly subject: Subject;
  readonly label: string;
}

/** The subject, whose warm-up also makes sure that the witness counts its connections. */
export function sureOf(
  factory: Factory,
  driver: PluggableDriver,
  { pool, subject, label }: Made,
  witness: () => Witness | undefined,
): Subject {
  const expected = `${factory}: expected a pool that connects with the url it is given`;
  const failed = (error: unknown): never => {
    if (!isRehearsalError(error)) throw cannotConnect(driver, factory, error);
    throw new RehearsalError(error.code, `${factory}: ${error.message}`, { cause: error });
  };
  return {
    ...subject,
    async warmUp() {
      await subject.warmUp().catch(failed);
      const seen = await pool.label().catch(failed);
      if (seen !== label) {
        const got = `it connects with '${seen}'`;
        throw optionError([
          `${expected}, whose ${driver.ownPools.labelName} is '${label}'; ${got}`,
        ]);
      }
      const counted = await witness()?.countConnections(label, subject.connectionIds);
      if (counted === 0) {
        const got = 'the server of that url sees none of its connections';
        throw optionError([`${expected}; ${got}, so they are to another one`]);
      }
    },
  };
}

/** Not necessarily to the server of the url. */
const cannotConnect = (driver: PluggableDriver, factory: Factory, error: unknown): Error =>
  driver.cannotConnect(error, `the server of ${factory}`);
