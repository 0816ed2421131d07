import type { EventEmitter } from 'node:events';
import type { Connection } from 'mongoose';
import type { Intent, RehearsalLease } from '../subject.ts';
import { printComment, type Database, type Sleep } from './sleep.ts';

/** Told by the driver when an operation has its connection. */
interface CommandStarted {
  readonly command: { readonly comment?: unknown };
  readonly address: string;
  readonly connectionId: string | number;
  readonly serverConnectionId: bigint | null;
}

/** What is used of a client of the driver. */
export interface Client extends EventEmitter {
  readonly options: {
    readonly appName?: string;
    readonly maxPoolSize?: number;
    readonly monitorCommands?: boolean;
  };
}

export const clientOf = (connection: Connection): Client => connection.getClient();

/**
 * Operations of one client that last, and the connections on which they were seen: the driver's
 * monitors are not among them.
 */
export class Operations {
  readonly ids: Set<number> = new Set();
  readonly #connections = new Set<string>();
  readonly #begun = new Map<string, () => void>();
  /** Each has a signal of its own: the driver is slow with thousands of listeners on one. */
  readonly #running = new Map<AbortSignal, Set<AbortController>>();
  readonly #label: string;
  #started = 0;

  constructor(label: string) {
    this.#label = label;
  }

  watch(client: Client): void {
    client.on('commandStarted', (event: CommandStarted) => {
      const { comment } = event.command;
      const begun = typeof comment === 'string' ? this.#begun.get(comment) : undefined;
      if (begun === undefined) return;
      this.#connections.add(`${event.address} ${event.connectionId}`);
      this.ids.add(Number(event.serverConnectionId));
      begun();
    });
  }

  /** Connections so far. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Resolves when the operation has its connection, which it holds until it is done. */
  async begin(database: Database, sleep: Sleep, intent: Intent): Promise<RehearsalLease> {
    const { holdMillis, signal } = intent;
    const comment = printComment({ millis: holdMillis, id: this.#started++, label: this.#label });
    const abort = new AbortController();
    const running = this.#runningUnder(signal);
    running.add(abort);
    const begun = new Promise<void>((resolve) => this.#begun.set(comment, resolve));
    const done = sleep(database, holdMillis, { comment, signal: abort.signal }).finally(() => {
      running.delete(abort);
      this.#begun.delete(comment);
    });
    await Promise.race([begun, done]);
    // Told to whoever holds it, and to nobody when it is not held.
    done.catch(() => undefined);
    return {
      async hold() {
        await done;
      },
      run: () => Promise.reject(new Error('an operation runs no statement')),
      release: () => undefined,
    };
  }

  #runningUnder(signal: AbortSignal): Set<AbortController> {
    const known = this.#running.get(signal);
    if (known !== undefined) return known;
    const running = new Set<AbortController>();
    this.#running.set(signal, running);
    const abort = (): void => {
      for (const each of running) each.abort(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    return running;
  }
}
