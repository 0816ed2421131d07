import type { EventEmitter } from 'node:events';
import type { Client } from './driver.ts';

interface Model {
  readonly collection: { readonly name: string };
  readonly modelName: string;
  discriminators?: Record<string, Model>;
}

type Close = (force?: { readonly skipCloseClient?: boolean }) => Promise<unknown>;

/** What is used of a connection of mongoose: the same in 8 and 9. */
export interface MongooseConnection extends EventEmitter {
  client: Client | null | undefined;
  readonly db: { readonly databaseName: string } | undefined;
  readonly name: string;
  readonly models: Record<string, Model>;
  readonly config: Record<string, unknown>;
  readyState: number;
  otherDbs: MongooseConnection[];
  /** Where models that a connection does not have are looked for. */
  _parent?: MongooseConnection | null;
  useDb(name: string): MongooseConnection;
  model: (name: string, ...rest: unknown[]) => Model;
  close: Close;
  destroy: Close;
  /** Called when it is connected: its collections take their places in `db`. */
  onOpen(): void;
}

const DISCONNECTED = 0;
const CONNECTED = 1;

/**
 * One partition as a connection of mongoose, with heirs of the base connection's models. It opens and
 * closes with the base; its own `close` only takes it off.
 * @param facade the client as the partition shows it; undefined before there is a client
 * @param onClose its own `close` was called
 */
export function handleOf(
  base: MongooseConnection,
  facade: () => Client | undefined,
  onClose: () => void,
): MongooseConnection {
  const handle = base.useDb(base.name);
  followClient(handle, base, facade);
  // mongoose would look for models at the parent, and run what it finds outside the partition.
  handle._parent = null;
  // Its state follows that of the base, and not the other way round.
  handle.otherDbs = [];
  // The base has seen to indexes and collections.
  Object.assign(handle.config, { autoIndex: false, autoCreate: false });
  inheritModels(handle, base);
  const leaveBase = openWith(handle, base);
  const takeOff = async (): Promise<void> => {
    leaveBase();
    base.otherDbs = base.otherDbs.filter((other) => other !== handle);
    onClose();
    if (handle.readyState === DISCONNECTED) return;
    handle.readyState = DISCONNECTED;
    handle.emit('close');
  };
  for (const name of ['close', 'destroy'] as const) {
    const stock = handle[name];
    // The base says so to those that close with it, and that open with it again.
    handle[name] = (force) => (force?.skipCloseClient ? stock.call(handle, force) : takeOff());
  }
  return handle;
}

/**
 * mongoose does not tell what came of `useDb` that its base is open again: its operations would go to
 * the client before, or stay buffered.
 * @returns no longer follows the base
 */
function openWith(handle: MongooseConnection, base: MongooseConnection): () => void {
  let isOpen = handle.readyState === CONNECTED;
  handle.on('open', () => {
    isOpen = true;
  });
  handle.on('disconnected', () => {
    isOpen = false;
  });
  const baseOpened = (): void => {
    if (!isOpen) handle.onOpen();
  };
  base.on('open', baseOpened);
  return () => {
    base.off('open', baseOpened);
  };
}

/** mongoose assigns these when it connects; what counts is the base's, by way of the facade. */
function followClient(
  handle: MongooseConnection,
  base: MongooseConnection,
  facade: () => Client | undefined,
): void {
  const databases = new WeakMap<object, unknown>();
  const db = (): unknown => {
    const client = facade();
    if (!client || !base.db) return undefined;
    if (!databases.has(base.db)) databases.set(base.db, client.db(base.db.databaseName));
    return databases.get(base.db);
  };
  for (const [name, get] of [
    ['client', facade],
    ['db', db],
    ['name', (): string => base.name],
  ] as const) {
    Object.defineProperty(handle, name, { configurable: true, enumerable: true, get, set() {} });
  }
}

/** Models of the base are there as heirs of the same name, also those that come later. */
function inheritModels(handle: MongooseConnection, base: MongooseConnection): void {
  const own = handle.model;
  const inherited = new Map<string, { readonly from: Model; readonly model: Model }>();
  const inherit = (name: string): void => {
    const from = findModel(base, name);
    const found = inherited.get(name);
    if (!from || found?.from === from) return;
    if (handle.models[name] && handle.models[name] !== found?.model) return;
    // An heir of the model that the connection is said to have, when a collection is named.
    handle.models[name] = from;
    const model = own.call(handle, name, from.collection.name);
    handle.models[name] = model;
    inherited.set(name, { from, model });
    for (const [key, kind] of Object.entries(from.discriminators ?? {})) {
      inherit(kind.modelName);
      const heir = handle.models[kind.modelName];
      if (heir && model.discriminators) model.discriminators[key] = heir;
    }
  };
  handle.model = (name, ...rest) => {
    if (rest.length === 0 && typeof name === 'string') inherit(name);
    return own.call(handle, name, ...rest);
  };
  for (const name of Object.keys(base.models)) inherit(name);
}

function findModel(connection: MongooseConnection, name: string): Model | undefined {
  const found = connection.models[name];
  return found ?? (connection._parent ? findModel(connection._parent, name) : undefined);
}
