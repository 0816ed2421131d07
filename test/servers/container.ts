import { startContainer } from '../../rehearsal/containers/start.ts';
import type { Database, RunningServer } from './database.ts';

/**
 * Starts the database in a container.
 * @throws an error that says whether the engine or the image is missing
 */
export async function startInContainer({
  image: official,
  imageVariable,
  urlVariable,
  recipe,
}: Database): Promise<RunningServer> {
  const image = process.env[imageVariable] ?? official;
  const server = await startContainer({ image, recipe, advice: `set ${urlVariable}` });
  return { ...server, from: `a container of ${image}` };
}
