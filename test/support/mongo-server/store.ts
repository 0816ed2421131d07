import { ObjectId, type Document } from 'bson';
import { keyOf, matches, updated } from './matching.ts';

/** A change, as change streams tell of it. */
export interface Change {
  readonly operationType: 'insert' | 'update' | 'delete';
  readonly ns: string;
  readonly document: Document;
}

/** Documents by namespace. A transaction works on a copy, whose changes are made here at the commit. */
export class Store {
  readonly #collections: Map<string, Document[]>;
  /** What this copy has changed. */
  readonly changes: Change[] = [];

  constructor(collections: Map<string, Document[]> = new Map()) {
    this.#collections = collections;
  }

  copy(): Store {
    return new Store(new Map(Array.from(this.#collections, ([ns, all]) => [ns, [...all]])));
  }

  takeOver(copy: Store): void {
    for (const { ns, operationType, document } of copy.changes) {
      const isIt = (one: Document): boolean => keyOf(one['_id']) === keyOf(document['_id']);
      const all = this.all(ns);
      if (operationType === 'delete')
        this.#collections.set(
          ns,
          all.filter((one) => !isIt(one)),
        );
      else if (operationType === 'insert') this.#collections.set(ns, [...all, document]);
      else
        this.#collections.set(
          ns,
          all.map((one) => (isIt(one) ? document : one)),
        );
    }
    this.changes.push(...copy.changes);
  }

  all(ns: string): readonly Document[] {
    return this.#collections.get(ns) ?? [];
  }

  namesIn(database: string): string[] {
    const before = `${database}.`;
    const all = [...this.#collections.keys()].filter((ns) => ns.startsWith(before));
    return all.map((ns) => ns.slice(before.length));
  }

  create(ns: string): void {
    if (!this.#collections.has(ns)) this.#collections.set(ns, []);
  }

  drop(ns: string): void {
    this.#collections.delete(ns);
  }

  find(ns: string, filter: Document): Document[] {
    return this.all(ns).filter((document) => matches(document, filter));
  }

  /** False when there is one of this id. */
  insert(ns: string, given: Document): boolean {
    const document: Document = { _id: new ObjectId(), ...given };
    if (this.find(ns, { _id: document['_id'] as unknown }).length > 0) return false;
    this.#collections.set(ns, [...this.all(ns), document]);
    this.changes.push({ operationType: 'insert', ns, document });
    return true;
  }

  update(ns: string, filter: Document, update: Document, multi: boolean): Document[] {
    const found = this.find(ns, filter).slice(0, multi ? Infinity : 1);
    return found.map((document) => this.#replace(ns, document, updated(document, update, false)));
  }

  upsert(ns: string, filter: Document, update: Document): Document {
    const plain = Object.entries(filter).filter(([key]) => !key.startsWith('$'));
    const document = updated({ _id: new ObjectId(), ...Object.fromEntries(plain) }, update, true);
    this.insert(ns, document);
    return document;
  }

  delete(ns: string, filter: Document, limit: number): Document[] {
    const found = this.find(ns, filter).slice(0, limit === 0 ? Infinity : limit);
    const gone = new Set(found);
    this.#collections.set(
      ns,
      this.all(ns).filter((document) => !gone.has(document)),
    );
    for (const document of found) this.changes.push({ operationType: 'delete', ns, document });
    return found;
  }

  #replace(ns: string, before: Document, document: Document): Document {
    this.#collections.set(
      ns,
      this.all(ns).map((one) => (one === before ? document : one)),
    );
    if (keyOf(before) !== keyOf(document)) {
      this.changes.push({ operationType: 'update', ns, document });
    }
    return document;
  }
}
