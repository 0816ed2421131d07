import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { Pool } from 'mysql2/promise';

/** A connection beneath its promises, with what mysql2 does not declare of it. */
export interface CoreConnection {
  readonly threadId: number;
  readonly stream: Socket;
  readonly config: { readonly connectAttributes?: { readonly program_name?: string } };
  on(event: 'error', listener: () => void): unknown;
}

/** The connections of a pool, from its making on. */
export class Connections {
  readonly #ids = new Set<number>();
  readonly #open = new Set<CoreConnection>();

  constructor(pool: Pool) {
    pool.on('connection', (given) => {
      const connection = given as unknown as CoreConnection;
      // A connection that breaks while it is held also rejects its query, which is where it is counted.
      connection.on('error', () => undefined);
      // After a reset a divided pool tells of it again.
      if (this.#open.has(connection)) return;
      this.#ids.add(connection.threadId);
      this.#open.add(connection);
      connection.stream.once('close', () => this.#open.delete(connection));
    });
  }

  /** The server's numbers of them, also of those that are closed. */
  get ids(): ReadonlySet<number> {
    return this.#ids;
  }

  /** Resolves when every socket is gone: the end of a pool only says goodbye. */
  async gone(): Promise<void> {
    await Promise.all([...this.#open].map(({ stream }) => once(stream, 'close')));
  }

  /** Those that did not say goodbye. */
  cut(): void {
    for (const { stream } of this.#open) stream.destroy();
  }
}
