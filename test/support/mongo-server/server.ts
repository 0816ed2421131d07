import { EventEmitter, once } from 'node:events';
import net from 'node:net';
import type { Document } from 'bson';
import { commands } from './commands.ts';
import { Cursors } from './cursors.ts';
import { CommandError, interrupted, outOfTime } from './errors.ts';
import { Faults, sleepOf } from './faults.ts';
import { hello, isHello, type Topology } from './hello.ts';
import { Log, type Entry } from './log.ts';
import { keyOf } from './matching.ts';
import { Sessions } from './sessions.ts';
import { Store } from './store.ts';
import { messages, reply, type Message } from './wire.ts';

/** A connection of a client. */
interface Peer {
  readonly number: number;
  readonly socket: net.Socket;
  /** It has asked for more than hello: a connection of a pool, not a monitor. */
  working: boolean;
  greeted: boolean;
}

/**
 * Speaks the protocol of MongoDB and keeps everything in memory: a server that is the same each time,
 * fails on demand, and knows what was asked of it.
 */
export class MongoServer {
  readonly log: Log = new Log();
  readonly faults: Faults = new Faults();
  readonly store: Store = new Store();
  readonly sessions: Sessions = new Sessions(this.store);
  readonly cursors: Cursors = new Cursors();
  readonly topology: Topology;
  /** The most connections of pools that were ever open together. */
  peak = 0;
  /** Connections accepted so far, monitors included. */
  accepted = 0;
  readonly #peers = new Set<Peer>();
  readonly #running = new Map<Entry, AbortController>();
  readonly #events = new EventEmitter().setMaxListeners(0);
  #listener: net.Server | undefined = undefined;
  #port = 0;

  constructor(topology: Topology = 'replicaSet') {
    this.topology = topology;
  }

  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  get url(): string {
    const options = { replicaSet: '?replicaSet=rs0', loadBalanced: '?loadBalanced=true' };
    return `mongodb://${this.address}/test${options[this.topology as keyof typeof options] ?? ''}`;
  }

  /** Connections of pools that are open now; monitors are not counted. */
  get connections(): number {
    return [...this.#peers].filter(({ working }) => working).length;
  }

  /** Those that have only said hello: one of each client, and for a moment new ones of its pool. */
  get monitors(): number {
    return this.#peers.size - this.connections;
  }

  async listen(): Promise<void> {
    this.#listener = net.createServer((socket) => this.#accept(socket));
    this.#listener.listen(this.#port, '127.0.0.1');
    await once(this.#listener, 'listening');
    this.#port = (this.#listener.address() as net.AddressInfo).port;
  }

  /** Drops every connection; with `working` only those of pools. */
  cut(which: 'all' | 'working' = 'all'): void {
    for (const { socket, working } of this.#peers) {
      if (which === 'all' || working) socket.destroy();
    }
  }

  /** Drops the connection with this number, as the log has it. */
  cutConnection(number: number): void {
    for (const peer of this.#peers) if (peer.number === number) peer.socket.destroy();
  }

  /** Interrupts the commands with this comment. */
  interrupt(comment: string): void {
    for (const [{ command }, running] of this.#running) {
      if (command['comment'] === comment) running.abort();
    }
  }

  async close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    this.cut();
    if (listener) await new Promise((resolve) => listener.close(resolve));
  }

  #accept(socket: net.Socket): void {
    const peer: Peer = { number: ++this.accepted, socket, working: false, greeted: false };
    this.#peers.add(peer);
    socket.setNoDelay();
    socket.on('error', () => {});
    socket.on('close', () => this.#peers.delete(peer));
    socket.on(
      'data',
      messages((message) => void this.#answer(peer, message)),
    );
  }

  async #answer(peer: Peer, message: Message): Promise<void> {
    const [name = ''] = Object.keys(message.command);
    const document = isHello(name)
      ? await this.#greet(peer)
      : await this.#execute(peer, name, message.command);
    if (document && !message.oneWay && !peer.socket.destroyed) {
      peer.socket.write(reply(message, document));
    }
  }

  async #greet(peer: Peer): Promise<Document | undefined> {
    if (!peer.greeted) {
      if (this.faults.silent) return undefined;
      peer.greeted = true;
      if (this.faults.connectMillis > 0) await delay(this.faults.connectMillis);
    }
    return hello(this.topology, this.address);
  }

  async #execute(peer: Peer, name: string, command: Document): Promise<Document | undefined> {
    peer.working = true;
    this.peak = Math.max(this.peak, this.connections);
    const entry = this.log.begin(name, command, peer.number);
    const running = new AbortController();
    this.#running.set(entry, running);
    // A server drops what a client asked for that has gone.
    const gone = (): void => running.abort();
    peer.socket.once('close', gone);
    try {
      return await this.#perform(peer, name, command, running.signal);
    } catch (error) {
      return (error instanceof CommandError ? error : unexpected(error)).reply;
    } finally {
      peer.socket.off('close', gone);
      this.#running.delete(entry);
      this.log.end(entry);
    }
  }

  async #perform(
    { socket }: Peer,
    name: string,
    command: Document,
    signal: AbortSignal,
  ): Promise<Document | undefined> {
    const fault = this.faults.take(name);
    if (fault?.delayMillis) await interruptible(fault.delayMillis, signal);
    if (fault?.drop) {
      socket.destroy();
      return undefined;
    }
    if (fault?.error) {
      const { code, name: codeName, labels } = fault.error;
      throw new CommandError(code, codeName, 'failed on demand', labels);
    }
    await sleep(name, command, signal);
    const handler = commands[name];
    if (!handler) throw new CommandError(59, 'CommandNotFound', `no such command: '${name}'`);
    const changes = this.store.changes.length;
    const answered = await handler({
      command,
      ns: `${String(command['$db'])}.${namespaceOf(name, command)}`,
      store: this.sessions.storeFor(name.endsWith('Transaction') ? {} : command),
      cursors: this.cursors,
      sessions: this.sessions,
      changed: (millis) => this.#changed(millis, signal),
      interrupt: (sessions) => this.#interrupt(sessions),
    });
    if (this.store.changes.length > changes) this.#events.emit('changed');
    return answered;
  }

  async #changed(millis: number, signal: AbortSignal): Promise<void> {
    const done = new AbortController();
    const changed = once(this.#events, 'changed', { signal: done.signal }).catch(() => {});
    await Promise.race([changed, interruptible(millis, signal)]).finally(() => done.abort());
  }

  #interrupt(sessions: readonly unknown[]): void {
    const keys = sessions.map(keyOf);
    for (const [{ command, name }, running] of this.#running) {
      if (name !== 'killSessions' && keys.includes(keyOf(command['lsid']))) running.abort();
    }
  }
}

function namespaceOf(name: string, command: Document): string {
  const collection: unknown = name === 'getMore' ? command['collection'] : command[name];
  if (typeof collection === 'string') return collection;
  return name === 'aggregate' ? '$cmd.aggregate' : '$cmd';
}

const longestHoldMillis = 60_000;
/** `comment: 'hold …'`: until it is interrupted. */
const isHeld = ({ comment }: Document): boolean => String(comment).startsWith('hold ');

/** `comment: 'sleep:150'`, but no longer than `maxTimeMS`, which ends a command. */
async function sleep(name: string, command: Document, signal: AbortSignal): Promise<void> {
  const millis = isHeld(command) ? longestHoldMillis : sleepOf(command);
  if (millis === 0) return;
  const limit = name === 'getMore' ? Infinity : Number(command['maxTimeMS'] ?? Infinity);
  await interruptible(Math.min(millis, limit), signal);
  if (millis > limit) throw outOfTime();
}

const delay = (millis: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, millis));

function interruptible(millis: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(interrupted());
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, millis);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

const unexpected = (error: unknown): CommandError =>
  new CommandError(8, 'UnknownError', `the test server failed: ${String(error)}`);
