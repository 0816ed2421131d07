import { setTimeout as delay } from 'node:timers/promises';
import { getContainerRuntimeClient } from 'testcontainers';
import { startContainer } from '../../rehearsal/containers/start.ts';
import { contained } from './contained.ts';
import type { Database, RunningServer } from './database.ts';

/** A server in a container, which things can be done to. */
export interface ContainedServer extends RunningServer {
  /** Stops all its processes; its sockets stay. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it without a word to its clients, and starts it again. Settles when it answers. */
  killAndStart(): Promise<void>;
}

/**
 * Starts the database in a container.
 * @param hostPort the port of this machine, which it keeps when it is started again
 * @throws an error that says whether the engine or the image is missing
 */
export async function startInContainer(
  { image: usual, imageVariable, recipe }: Database,
  hostPort?: number,
): Promise<ContainedServer> {
  const image = process.env[imageVariable] ?? usual;
  const server = await startContainer({ image, recipe, ...(hostPort && { hostPort }) });
  const { container } = await getContainerRuntimeClient();
  const engine = container.getById(server.id);
  return {
    ...server,
    from: `${contained}${image}`,
    async pause() {
      await engine.pause();
    },
    async resume() {
      await engine.unpause();
    },
    async killAndStart() {
      await engine.kill();
      await engine.start();
      await untilItAnswers(() => recipe.ping(server.url));
    },
  };
}

async function untilItAnswers(ping: () => Promise<void>): Promise<void> {
  const until = performance.now() + 60_000;
  for (;;) {
    try {
      return await ping();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await delay(100);
  }
}
