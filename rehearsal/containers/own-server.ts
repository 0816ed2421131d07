import { describeError, RehearsalError } from '../errors.ts';
import type { TemporaryServer } from '../temporary-server.ts';
import { startContainer, type ContainerOptions } from './start.ts';

/** @throws `ERR_NO_SERVER` with what to do, or the signal's reason; nothing is left behind then. */
export async function startOwnServer(
  options: ContainerOptions,
  exampleUrl: string,
): Promise<TemporaryServer> {
  try {
    return await startContainer(options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw new RehearsalError(
      'ERR_NO_SERVER',
      `no server to rehearse on: ${describeError(error)}; or give the URL of your own, ${exampleUrl}`,
      { cause: error },
    );
  }
}
