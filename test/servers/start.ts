import { startInContainer } from './container.ts';
import type { Database, RunningServer } from './database.ts';

/**
 * The server for the tests of a database: one that is there already, else one in a container, else
 * one of this machine.
 * @throws an error that says why there is none
 */
export async function startServer(
  database: Database,
  inContainer: typeof startInContainer = startInContainer,
): Promise<RunningServer> {
  const url = process.env[database.urlVariable];
  if (url) return { url, from: database.urlVariable, stop: async () => {} };
  const reasons = [`${database.urlVariable} is not set`];
  for (const start of [() => inContainer(database), database.startLocal]) {
    if (start === undefined) continue;
    try {
      return await start();
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new Error(reasons.join('; '));
}
