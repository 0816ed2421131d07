import { startContainer } from '../../rehearsal/containers/start.ts';
import type { Database, RunningServer } from './database.ts';

/**
 * Starts the database in a container.
 * @throws an error that says whether the engine or the image is missing
 */
export async function startInContainer(database: Database): Promise<RunningServer> {
  const image = process.env[database.imageVariable] ?? database.image;
  const server = await startContainer({ image, recipe: database.recipe });
  return { ...server, from: `a container of ${image}` };
}
