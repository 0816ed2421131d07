import { GenericContainer, getContainerRuntimeClient, type WaitStrategy } from 'testcontainers';
import type { ContainerRecipe, Database, RunningServer } from './database.ts';

const startTimeoutMillis = 120_000;
const askEveryMillis = 100;

/**
 * Starts the database in a container.
 * @throws an error that says whether the engine or the image is missing
 */
export async function startInContainer(database: Database): Promise<RunningServer> {
  await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new Error('no container engine answers', { cause });
  });
  const image = process.env[database.imageVariable] ?? database.image;
  const { recipe } = database;
  const container = await new GenericContainer(image)
    .withEnvironment({ ...recipe.environment })
    .withCommand([...recipe.arguments])
    .withExposedPorts(recipe.port)
    .withWaitStrategy(answers(recipe))
    .start()
    .catch((cause: Error) => {
      throw new Error(`no container of ${image}: ${cause.message}`, { cause });
    });
  let stopped: Promise<unknown> | undefined;
  return {
    url: recipe.url(container.getMappedPort(recipe.port)),
    from: `a container of ${image}`,
    async stop() {
      await (stopped ??= container.stop());
    },
  };
}

/** That a port listens says nothing: official images start a server first to set themselves up. */
function answers({ url, port, ping }: ContainerRecipe): WaitStrategy {
  const strategy: WaitStrategy = {
    async waitUntilReady(container, ports) {
      const until = performance.now() + startTimeoutMillis;
      for (;;) {
        try {
          return await ping(url(ports.getBinding(port)));
        } catch (error) {
          const { State } = await container.inspect();
          if (!State.Running) throw new Error('the server ended', { cause: error });
          if (performance.now() > until) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, askEveryMillis));
      }
    },
    withStartupTimeout: () => strategy,
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => startTimeoutMillis,
  };
  return strategy;
}
