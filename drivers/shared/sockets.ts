import { AsyncResource } from 'node:async_hooks';

/** Something that cannot be opened yet. */
interface Parked {
  readonly mayGoOn: () => boolean;
  readonly goOn: () => void;
}

/**
 * The sockets to the server, each counted from its opening until it is confirmed gone (I1), and
 * those who wait for one of them to be gone.
 */
export class Sockets<Socket> {
  readonly #all = new Set<Socket>();
  readonly #whenGone = new Map<Socket, () => void>();
  readonly #hurries = new Map<Socket, NodeJS.Timeout>();
  readonly #destroy: (socket: Socket) => void;
  readonly #parked: Parked[] = [];
  #onEmpty: (() => void) | undefined = undefined;

  /** @param destroy ends a socket without waiting for the server to say goodbye */
  constructor(destroy: (socket: Socket) => void) {
    this.#destroy = destroy;
  }

  get size(): number {
    return this.#all.size;
  }

  add(socket: Socket): void {
    this.#all.add(socket);
  }

  /** It is being closed; destroyed when that takes longer. */
  closing(socket: Socket, graceMillis: number): void {
    if (!this.#all.has(socket) || this.#hurries.has(socket)) return;
    this.#hurries.set(
      socket,
      setTimeout(() => this.#destroy(socket), graceMillis),
    );
  }

  /** Calls back when the socket is gone: at once if it is. */
  whenGone(socket: Socket, settled: () => void): void {
    if (this.#all.has(socket)) this.#whenGone.set(socket, settled);
    else settled();
  }

  gone(socket: Socket): void {
    this.#all.delete(socket);
    clearTimeout(this.#hurries.get(socket));
    this.#hurries.delete(socket);
    this.#whenGone.get(socket)?.();
    this.#whenGone.delete(socket);
    this.unpark();
    if (this.#all.size === 0) this.#onEmpty?.();
  }

  /** Waits until there is room; what is opened then belongs to the caller of now. */
  park(mayGoOn: () => boolean, goOn: () => void): void {
    const scope = new AsyncResource('watertight.checkout');
    this.#parked.push({ mayGoOn, goOn: () => scope.runInAsyncScope(goOn) });
  }

  /** There may be room for one of those who wait for it. */
  unpark(): void {
    for (let next = this.#nextParked(); next; next = this.#nextParked()) next.goOn();
  }

  /** Settles when no socket is left; destroys those that take longer. */
  async ended(graceMillis: number): Promise<void> {
    if (this.#all.size === 0) return;
    for (const socket of this.#all) this.closing(socket, graceMillis);
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
  #nextParked(): Parked | undefined {
    const index = this.#parked.findIndex(({ mayGoOn }) => mayGoOn());
    return index < 0 ? undefined : this.#parked.splice(index, 1)[0];
  }
}
