import type { Session } from './driver.ts';

/** A command that asks for a connection. */
export interface Operation {
  /** The name of the command: `find`, `getMore`. */
  readonly name: string;
  /** The driver's object that says the database and collection: in words only when asked. */
  readonly ns: unknown;
  readonly session: Session | undefined;
  /** Of a `getMore`. */
  readonly cursorId: string | undefined;
  /** The option `partition` of the call: the user's, so it may be anything. */
  readonly partition: unknown;
  /** It opens a cursor that waits for what is to come: a change stream, a tailable cursor. */
  readonly tails: boolean;
  /** The partition where it went; undefined before that, and when it needs none. */
  routedTo: string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A `Long` of the driver's. */
export interface CursorId {
  toString(): string;
}

/** What the driver hands to `server.command`: from 6.19 on the operation, before that its parts. */
export function describe([first, second, third]: readonly unknown[]): Operation {
  const given = first as DriverOperation;
  const { commandName, command, session, options = {} } = given;
  if (typeof commandName !== 'string') {
    return describeCommand(first, second as Fields, (third ?? {}) as Fields);
  }
  if (commandName === 'runCommand' && command) {
    return describeCommand(given.ns, command, { ...options, session });
  }
  return {
    name: commandName,
    ns: given.ns,
    session,
    cursorId: idOf(given.cursorId),
    partition: options['partition'],
    tails: tails(given.pipeline, options),
    routedTo: undefined,
  };
}

/** An `AbstractOperation` of the driver; each kind has some of these. */
interface DriverOperation {
  readonly commandName?: string;
  readonly options?: Fields;
  readonly command?: Fields;
  readonly ns?: unknown;
  readonly session?: Session;
  readonly cursorId?: CursorId;
  readonly pipeline?: unknown;
}

function describeCommand(ns: unknown, command: Fields, options: Fields): Operation {
  const name = Object.keys(command)[0] ?? '';
  return {
    name,
    ns,
    session: options['session'] as Session | undefined,
    cursorId: name === 'getMore' ? idOf(command['getMore'] as CursorId) : undefined,
    partition: options['partition'],
    tails: tails(command['pipeline'], command),
    routedTo: undefined,
  };
}

const idOf = (id: CursorId | undefined): string | undefined => id?.toString();

function tails(pipeline: unknown, { tailable, awaitData }: Fields): boolean {
  const [first] = Array.isArray(pipeline) ? (pipeline as Fields[]) : [];
  if (first && '$changeStream' in first) return true;
  return tailable === true && awaitData === true;
}

const FINISHING = new Set([
  'commitTransaction',
  'abortTransaction',
  'killCursors',
  'killSessions',
  'endSessions',
]);

/**
 * Commands that give back what others wait for. They never wait for a permit: a commit that is not
 * sent keeps its locks on the server for as long as that lets a transaction live.
 */
export const finishes = ({ name }: Operation): boolean => FINISHING.has(name);

const OPENS_CURSOR = new Set(['find', 'aggregate', 'listCollections', 'listIndexes']);

export const opensCursor = ({ name }: Operation): boolean => OPENS_CURSOR.has(name);
