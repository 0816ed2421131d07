import { Long, type Document } from 'bson';
import { CommandError } from './errors.ts';

/** Where a cursor gets its documents from. */
export interface Source {
  /** Up to so many documents; fewer when there are no more now. */
  take(count: number): Document[];
  /** True when nothing will come any more. */
  readonly ended: boolean;
  /** What a change stream goes on from. */
  readonly resumeToken?: Document | undefined;
}

interface Cursor {
  readonly ns: string;
  readonly source: Source;
  readonly batchSize: number;
}

/** As many as fit into one batch when the client does not say. */
const FIRST_BATCH = 101;

export const listSource = (documents: readonly Document[]): Source => {
  let at = 0;
  return {
    take: (count) => documents.slice(at, (at += count)),
    get ended() {
      return at >= documents.length;
    },
  };
};

/** The cursors of all clients. */
export class Cursors {
  readonly #open = new Map<number, Cursor>();
  #lastId = 0;

  get open(): number {
    return this.#open.size;
  }

  /** The answer of a command that opens a cursor. */
  first(ns: string, source: Source, batchSize: unknown, single = false): Document {
    const size = batchSize === undefined ? FIRST_BATCH : Number(batchSize);
    const firstBatch = source.take(size);
    if (single || source.ended) return answer(0, ns, { firstBatch }, source);
    const id = ++this.#lastId;
    this.#open.set(id, { ns, source, batchSize: size });
    return answer(id, ns, { firstBatch }, source);
  }

  /** @param wait settles when something may have come, or the client has waited long enough */
  async next(command: Document, wait: () => Promise<void>): Promise<Document> {
    const id = Number(command['getMore']);
    const cursor = this.#open.get(id);
    if (!cursor) throw new CommandError(43, 'CursorNotFound', `cursor id ${id} not found`);
    const { ns, source } = cursor;
    const size = Number(command['batchSize'] ?? cursor.batchSize) || FIRST_BATCH;
    let nextBatch = source.take(size);
    if (nextBatch.length === 0 && !source.ended) {
      await wait();
      nextBatch = source.take(size);
    }
    if (source.ended) this.#open.delete(id);
    return answer(source.ended ? 0 : id, ns, { nextBatch }, source);
  }

  kill(ids: readonly unknown[]): Document {
    const killed = ids.filter((id) => this.#open.delete(Number(id)));
    return {
      cursorsKilled: killed,
      cursorsNotFound: [],
      cursorsAlive: [],
      cursorsUnknown: [],
      ok: 1,
    };
  }
}

const answer = (id: number, ns: string, batch: Document, { resumeToken }: Source): Document => ({
  cursor: {
    id: Long.fromNumber(id),
    ns,
    ...batch,
    ...(resumeToken ? { postBatchResumeToken: resumeToken } : {}),
  },
  ok: 1,
});
