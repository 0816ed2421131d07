import type { Document } from 'bson';
import type { Handler } from './commands.ts';

/** The commands that change documents. */
export const writes: Readonly<Record<string, Handler>> = {
  insert: ({ store, ns, command }) => {
    const documents = command['documents'] as Document[];
    const writeErrors = documents.flatMap((document, index) =>
      store.insert(ns, document) ? [] : [{ index, code: 11000, errmsg: 'E11000 duplicate key' }],
    );
    const failed = writeErrors.length > 0 ? { writeErrors } : {};
    return { n: documents.length - writeErrors.length, ...failed, ok: 1 };
  },

  update: ({ store, ns, command }) => {
    let n = 0;
    const upserted: Document[] = [];
    for (const [index, one] of (command['updates'] as Document[]).entries()) {
      const [filter, update] = [one['q'] as Document, one['u'] as Document];
      const found = store.update(ns, filter, update, one['multi'] === true).length;
      n += found;
      if (found > 0 || one['upsert'] !== true) continue;
      n++;
      upserted.push({ index, _id: store.upsert(ns, filter, update)['_id'] as unknown });
    }
    const added = upserted.length > 0 ? { upserted } : {};
    return { n, nModified: n - upserted.length, ...added, ok: 1 };
  },

  delete: ({ store, ns, command }) => {
    const deletes = command['deletes'] as Document[];
    const gone = deletes.flatMap((one) =>
      store.delete(ns, one['q'] as Document, Number(one['limit'])),
    );
    return { n: gone.length, ok: 1 };
  },

  findAndModify: ({ store, ns, command }) => {
    const filter = (command['query'] as Document | undefined) ?? {};
    const [before] = store.find(ns, filter);
    if (command['remove'] === true) {
      store.delete(ns, filter, 1);
      return { value: before ?? null, lastErrorObject: { n: before ? 1 : 0 }, ok: 1 };
    }
    const update = command['update'] as Document;
    let [after] = store.update(ns, filter, update, false);
    if (!after && command['upsert'] === true) after = store.upsert(ns, filter, update);
    const lastErrorObject = { n: after ? 1 : 0, updatedExisting: before !== undefined };
    const value = (command['new'] === true ? after : before) ?? null;
    return { value, lastErrorObject, ok: 1 };
  },
};
