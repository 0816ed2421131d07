import { EJSON, type Document } from 'bson';
import { changeSource, tailSource } from './changes.ts';
import { listSource, type Cursors } from './cursors.ts';
import { CommandError } from './errors.ts';
import { keyOf, matches } from './matching.ts';
import type { Sessions } from './sessions.ts';
import type { Store } from './store.ts';
import { writes } from './writes.ts';

/** What a command works with. */
export interface Call {
  readonly command: Document;
  /** Database and collection. */
  readonly ns: string;
  readonly store: Store;
  readonly cursors: Cursors;
  readonly sessions: Sessions;
  /** Settles when something changed, or after so many milliseconds. */
  readonly changed: (millis: number) => Promise<void>;
  /** Ends the commands that run in these sessions. */
  readonly interrupt: (sessions: readonly unknown[]) => void;
}

export type Handler = (call: Call) => Document | Promise<Document>;

const OK: Document = { ok: 1 };

/** How long a getMore of a waiting cursor waits when the client does not say. */
const AWAIT_MILLIS = 1000;

export const commands: Readonly<Record<string, Handler>> = {
  ...writes,
  ping: () => OK,
  buildInfo: () => ({ version: '7.0.0', versionArray: [7, 0, 0, 0], ok: 1 }),
  find,
  aggregate,
  count: ({ store, ns, command }) => ({ n: store.find(ns, query(command)).length, ok: 1 }),
  distinct: ({ store, ns, command }) => {
    const found = store
      .find(ns, query(command))
      .map((one) => one[String(command['key'])] as unknown);
    return { values: [...new Map(found.map((value) => [keyOf(value), value])).values()], ok: 1 };
  },
  getMore: ({ cursors, command, changed }) =>
    cursors.next(command, () => changed(Number(command['maxTimeMS'] ?? AWAIT_MILLIS))),
  killCursors: ({ cursors, command }) => cursors.kill(command['cursors'] as unknown[]),
  listCollections: ({ cursors, store, command }) => {
    const database = String(command['$db']);
    const all = store.namesIn(database).map((name) => ({ name, type: 'collection', options: {} }));
    const found = all.filter((one) => matches(one, command['filter'] as Document));
    return cursors.first(`${database}.$cmd.listCollections`, listSource(found), undefined);
  },
  listIndexes: ({ cursors, ns }) =>
    cursors.first(ns, listSource([{ v: 2, key: { _id: 1 }, name: '_id_' }]), undefined),
  create: ({ store, ns }) => {
    store.create(ns);
    return OK;
  },
  createIndexes: () => ({ numIndexesBefore: 1, numIndexesAfter: 2, ok: 1 }),
  dropIndexes: () => OK,
  drop: ({ store, ns }) => {
    store.drop(ns);
    return OK;
  },
  dropDatabase: ({ store, command }) => {
    const database = String(command['$db']);
    for (const name of store.namesIn(database)) store.drop(`${database}.${name}`);
    return OK;
  },
  commitTransaction: ({ sessions, command }) => {
    sessions.commit(command);
    return OK;
  },
  abortTransaction: ({ sessions, command }) => {
    sessions.abort(command);
    return OK;
  },
  endSessions: ({ sessions, command }) => {
    for (const lsid of command['endSessions'] as unknown[]) sessions.end(lsid);
    return OK;
  },
  killSessions: ({ sessions, command, interrupt }) => {
    for (const lsid of command['killSessions'] as unknown[]) sessions.end(lsid);
    interrupt(command['killSessions'] as unknown[]);
    return OK;
  },
};

const query = (command: Document): Document => (command['query'] as Document | undefined) ?? {};

function find({ store, cursors, ns, command }: Call): Document {
  const filter = (command['filter'] as Document | undefined) ?? {};
  if (command['tailable'] === true) {
    return cursors.first(ns, tailSource(store, ns, filter), command['batchSize']);
  }
  const found = sorted(store.find(ns, filter), command['sort'] as Document | undefined);
  const from = Number(command['skip'] ?? 0);
  const page = found.slice(from, from + (Number(command['limit'] ?? 0) || Infinity));
  const single = command['singleBatch'] === true;
  return cursors.first(ns, listSource(page), command['batchSize'], single);
}

function aggregate({ store, cursors, ns, command }: Call): Document {
  const pipeline = command['pipeline'] as Document[];
  const { batchSize } = (command['cursor'] as Document | undefined) ?? {};
  if (pipeline[0]?.['$changeStream']) {
    return cursors.first(ns, changeSource(store, ns, pipeline), batchSize);
  }
  const result = pipeline.reduce<readonly Document[]>(stage, store.all(ns));
  return cursors.first(ns, listSource(result), batchSize);
}

function stage(documents: readonly Document[], one: Document): readonly Document[] {
  const [name = '', given] = Object.entries(one)[0] ?? [];
  switch (name) {
    case '$match':
      return documents.filter((document) => matches(document, given as Document));
    case '$sort':
      return sorted([...documents], given as Document);
    case '$limit':
      return documents.slice(0, Number(given));
    case '$skip':
      return documents.slice(Number(given));
    case '$group':
      return grouped(documents, given as Document);
    default:
      throw new CommandError(40324, 'Location40324', `Unrecognized pipeline stage name: '${name}'`);
  }
}

/** Groups by a field or a constant; `$sum` of a field or a constant. */
function grouped(documents: readonly Document[], { _id: by, ...sums }: Document): Document[] {
  const groups = new Map<string, Document>();
  for (const document of documents) {
    const id = fieldOr(document, by);
    const group = groups.get(keyOf(id)) ?? { _id: id };
    groups.set(keyOf(id), group);
    for (const [name, { $sum }] of Object.entries<Document>(sums)) {
      group[name] = Number(group[name] ?? 0) + Number(fieldOr(document, $sum));
    }
  }
  return [...groups.values()];
}

const fieldOr = (document: Document, given: unknown): unknown =>
  typeof given === 'string' && given.startsWith('$') ? document[given.slice(1)] : given;

function sorted(documents: Document[], sort: Document = {}): Document[] {
  const order = (value: unknown): string | number =>
    typeof value === 'number' ? value : EJSON.stringify({ value });
  for (const [key, direction] of Object.entries(sort).toReversed()) {
    documents.sort((a, b) => {
      const [left, right] = [order(a[key]), order(b[key])];
      return left === right ? 0 : (left < right ? -1 : 1) * Number(direction);
    });
  }
  return documents;
}
