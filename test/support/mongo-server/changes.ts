import { Timestamp, type Document } from 'bson';
import type { Source } from './cursors.ts';
import { matches } from './matching.ts';
import type { Change, Store } from './store.ts';

/** The changes of a store from now on, or from a resume token on. */
export function changeSource(store: Store, ns: string, pipeline: readonly Document[]): Source {
  const [{ $changeStream }, ...stages] = pipeline as [Document, ...Document[]];
  const token = ($changeStream as Document)['resumeAfter'] as Document | undefined;
  let at = token ? Number(token['_data']) : store.changes.length;
  const wanted = ({ ns: changed }: Change): boolean =>
    ns.endsWith('.$cmd.aggregate') ? changed.startsWith(ns.split('.')[0] ?? '') : changed === ns;
  return {
    take(count) {
      const taken: Document[] = [];
      while (at < store.changes.length && taken.length < count) {
        const change = store.changes[at++] as Change;
        if (!wanted(change)) continue;
        const event = eventOf(change, at);
        const fits = stages.every((stage) => matches(event, (stage['$match'] as Document) ?? {}));
        if (fits) taken.push(event);
      }
      return taken;
    },
    ended: false,
    get resumeToken() {
      return { _data: String(at) };
    },
  };
}

function eventOf({ operationType, ns, document }: Change, at: number): Document {
  const [db, ...coll] = ns.split('.');
  return {
    _id: { _data: String(at) },
    operationType,
    clusterTime: Timestamp.fromBits(at, 1),
    ns: { db, coll: coll.join('.') },
    documentKey: { _id: document['_id'] as unknown },
    ...(operationType === 'delete' ? {} : { fullDocument: document }),
  };
}

/** The documents of a collection, and those that come. */
export function tailSource(store: Store, ns: string, filter: Document): Source {
  let at = 0;
  return {
    take(count) {
      const all = store.find(ns, filter).slice(at, at + count);
      at += all.length;
      return all;
    },
    ended: false,
  };
}
