import { databases, type DatabaseName } from './databases.ts';
import { provideServer } from './urls.ts';
import { startServer } from './start.ts';
import { servers } from './state.ts';
import teardown from './teardown.ts';

/**
 * Starts the servers for some of the tests, and leaves their URLs in the environment; those that
 * other tests have started already are used by both.
 */
export async function setUp(names: readonly DatabaseName[]): Promise<void> {
  const started = await Promise.allSettled(names.map(provide));
  const failed = started.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as Error] : [],
  );
  if (failed.length === 0) return;
  // jest does not tear down what was not set up completely.
  await teardown();
  throw new Error(failed.map(({ message }) => message).join('\n'));
}

async function provide(name: DatabaseName): Promise<void> {
  if (servers.has(name)) return;
  try {
    const server = await startServer(databases[name]);
    servers.set(name, server);
    provideServer(name, server);
  } catch (error) {
    const reason = (error as Error).message;
    if (isRequired(name, process.env)) {
      throw new Error(`no server for the tests of ${name}: ${reason}`, { cause: error });
    }
    servers.set(name, { skipped: reason });
  }
}

/** In CI a server that is missing is a failure, unless its name is in WATERTIGHT_MAY_SKIP. */
export function isRequired(
  name: string,
  { CI = '', WATERTIGHT_MAY_SKIP = '' }: NodeJS.ProcessEnv,
): boolean {
  return CI !== '' && CI !== 'false' && !WATERTIGHT_MAY_SKIP.split(',').includes(name);
}
