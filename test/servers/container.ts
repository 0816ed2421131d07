import { GenericContainer, getContainerRuntimeClient, type WaitStrategy } from 'testcontainers';
import { contained } from './contained.ts';
import type { ContainerRecipe, Database, RunningServer } from './database.ts';

const startTimeoutMillis = 120_000;
const askEveryMillis = 100;

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
  database: Database,
  hostPort?: number,
): Promise<ContainedServer> {
  const client = await getContainerRuntimeClient().catch((cause: unknown) => {
    throw new Error('no container engine answers', { cause });
  });
  const image = process.env[database.imageVariable] ?? database.image;
  const { recipe } = database;
  const { port } = recipe;
  const container = await new GenericContainer(image)
    .withEnvironment({ ...recipe.environment })
    .withCommand([...recipe.arguments])
    .withExposedPorts(hostPort === undefined ? port : { container: port, host: hostPort })
    .withWaitStrategy(answers(recipe))
    .start()
    .catch((cause: Error) => {
      throw new Error(`no container of ${image}: ${cause.message}`, { cause });
    });
  const engine = client.container.getById(container.getId());
  const url = recipe.url(container.getMappedPort(port));
  let stopped: Promise<unknown> | undefined;
  return {
    url,
    from: `${contained}${image}`,
    async stop() {
      await (stopped ??= container.stop());
    },
    async pause() {
      await engine.pause();
    },
    async resume() {
      await engine.unpause();
    },
    async killAndStart() {
      await engine.kill();
      await engine.start();
      await untilItAnswers(engine, () => recipe.ping(url));
    },
  };
}

async function untilItAnswers(
  engine: { inspect(): Promise<{ readonly State: { readonly Running: boolean } }> },
  ping: () => Promise<void>,
): Promise<void> {
  const until = performance.now() + startTimeoutMillis;
  for (;;) {
    try {
      return await ping();
    } catch (error) {
      const { State } = await engine.inspect();
      if (!State.Running) throw new Error('the server ended', { cause: error });
      if (performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, askEveryMillis));
  }
}

/** That a port listens says nothing: official images start a server first to set themselves up. */
function answers({ url, port, ping }: ContainerRecipe): WaitStrategy {
  const strategy: WaitStrategy = {
    waitUntilReady: (container, ports) =>
      untilItAnswers(container, () => ping(url(ports.getBinding(port)))),
    withStartupTimeout: () => strategy,
    isStartupTimeoutSet: () => true,
    getStartupTimeout: () => startTimeoutMillis,
  };
  return strategy;
}
