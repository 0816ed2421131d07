import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { PoolConnection } from 'mysql2';
import { callUser } from '../../src/call-user.ts';

export const kLease: unique symbol = Symbol('watertight.lease');
export const kSeenBy: unique symbol = Symbol('watertight.seenBy');
export const kHome: unique symbol = Symbol('watertight.home');
export const kFresh: unique symbol = Symbol('watertight.fresh');

/** Whoever has a connection now, as far as the connection is concerned. */
export interface ConnectionHolder {
  /** It has been released, destroyed or lost. */
  readonly over: boolean;
  readonly partition: string;
  release(): void;
  /** Takes the lease back while the holder still has it. */
  takeBack(reason: Error): void;
}

/** A command of mysql2; without `onResult` its outcome is told by events. */
interface Command extends EventEmitter {
  /** What is to happen when its next packet comes; null when none will. */
  readonly next?: unknown;
  onResult?: ((error: Error) => void) | undefined;
}

/** What mysql2 knows of a connection and does not declare. */
interface Inner {
  readonly stream: Duplex;
  /** null as soon as the connection has left its pool. */
  readonly _pool: unknown;
  /** Set by `release`, so that a second one does nothing. */
  _released: boolean;
  /** A stream of rows waits for its reader. */
  readonly _paused: boolean;
  /** The server has let it in: the handshake is over. */
  readonly authorized: boolean;
  readonly _closing?: boolean;
  readonly _fatalError?: unknown;
  readonly _protocolError?: unknown;
  /** The command that runs. */
  readonly _command?: Command | null;
  /** Those after it. */
  readonly _commands: { readonly length: number; shift(): Command | undefined };
}

/**
 * A connection of the physical pool with what we remember of it. Symbol properties, never a proxy:
 * libraries key their own state on the identity of the connection.
 */
export type TrackedConnection = Omit<PoolConnection, keyof Inner> &
  Inner & {
    /** Whoever has it now. */
    [kLease]?: ConnectionHolder | undefined;
    /** The partitions that have emitted `connection` for it. */
    [kSeenBy]?: EventEmitter[];
    /** The partition that used it last: its session may have that one's state. */
    [kHome]?: EventEmitter;
    /** Its session was reset; what `connection` listeners had set is gone, too. */
    [kFresh]?: boolean;
  };

/**
 * `using` asks for it once, at its beginning: it then belongs to the lease of that moment. One for
 * all connections, so that they have one shape.
 */
export const disposer: PropertyDescriptor = {
  configurable: true,
  get(this: TrackedConnection) {
    const lease = this[kLease];
    return () => lease?.release();
  },
};

/** True when the connection can go on living after this release. */
export const isUsable = (connection: TrackedConnection): boolean =>
  !!connection._pool &&
  !connection._closing &&
  !connection._fatalError &&
  !connection._protocolError &&
  !connection.stream.destroyed;

/**
 * A command runs. One that tells its end is over, although it is still there: what is sent now comes
 * after it. In the callback of one that failed it seems to run, until the next tick.
 */
export const isBusy = ({ _command, _commands }: TrackedConnection): boolean =>
  !!_command?.next || _commands.length > 0;

/**
 * Tells commands that will never be answered; mysql2 leaves those without a callback, and all on a
 * connection that was destroyed, without a word.
 */
export function settleCommands(connection: TrackedConnection, reason: Error): void {
  const commands = [];
  if (connection._command) commands.push(connection._command);
  for (let one = connection._commands.shift(); one; one = connection._commands.shift()) {
    commands.push(one);
  }
  (connection as { _command: unknown })._command = null;
  for (const command of commands) {
    callUser(() => tell(command, reason));
    callUser(() => command.emit('end'));
  }
}

function tell(command: Command, reason: Error): void {
  if (typeof command.onResult === 'function') command.onResult(reason);
  else if (command.listenerCount('error') > 0) command.emit('error', reason);
}
