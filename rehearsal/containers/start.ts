/** A server in a container, by the optional peer `testcontainers`. */
import { randomUUID } from 'node:crypto';
import type * as Testcontainers from 'testcontainers';
import type { WaitStrategy } from 'testcontainers';
import { describeError } from '../errors.ts';
import type { TemporaryServer } from '../temporary-server.ts';
import { Guard, type Engine } from './guard.ts';
import type { ContainerRecipe } from './recipe.ts';

export interface ContainerOptions {
  readonly image: string;
  readonly recipe: ContainerRecipe;
  /** The port of this machine that it keeps, also when it is started again. @defaultValue a free one */
  readonly hostPort?: number;
  readonly signal?: AbortSignal;
}

export interface ContainedServer extends TemporaryServer {
  /** Of its container. */
  readonly id: string;
}

const startTimeoutMillis = 120_000;
const askEveryMillis = 100;

/**
 * @throws an error that says whether the library, the engine or the image is missing, or the signal's
 * reason; nothing is left behind then
 */
export async function startContainer(options: ContainerOptions): Promise<ContainedServer> {
  const { image, recipe, hostPort, signal } = options;
  const library = await load();
  const engine = await engineOf(library);
  signal?.throwIfAborted();
  const name = `watertight-${randomUUID()}`;
  const guard = new Guard(engine, name);
  const starting = new library.GenericContainer(image)
    .withName(name)
    .withLabels({ 'watertight.pid': String(process.pid) })
    .withEnvironment({ ...recipe.environment })
    .withCommand([...recipe.arguments])
    .withExposedPorts(
      hostPort === undefined ? recipe.port : { container: recipe.port, host: hostPort },
    )
    .withWaitStrategy(answers(recipe))
    .start();
  try {
    const container = await orAborted(starting, signal);
    let stopped: Promise<void> | undefined;
    return {
      id: container.getId(),
      url: recipe.url(container.getMappedPort(recipe.port)),
      stop: () => (stopped ??= container.stop().then(() => guard.dismiss())),
    };
  } catch (error) {
    await guard.clear();
    // Should the image still be on its way, there will be a container after all.
    starting.then((container) => container.stop()).catch(() => undefined);
    signal?.throwIfAborted();
    throw new Error(`no container of ${image}: ${describeError(error)}`, { cause: error });
  }
}

async function load(): Promise<typeof Testcontainers> {
  try {
    return await import('testcontainers');
  } catch (cause) {
    const install = 'npm install --save-dev testcontainers, which starts one in a container';
    throw new Error(install, { cause });
  }
}

async function engineOf({ getContainerRuntimeClient }: typeof Testcontainers): Promise<Engine> {
  try {
    const { container } = await getContainerRuntimeClient();
    const { socketPath, host, port } = container.dockerode.modem as Engine;
    return { socketPath, host, port };
  } catch (cause) {
    throw new Error('no container engine answers', { cause });
  }
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  const over = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true, signal: over.signal });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    over.abort();
  }
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
