import type { Session } from './driver.ts';
import { opensCursor, type CursorId, type Operation } from './operation.ts';

/** The id in the reply with the last batch of a cursor. */
const NO_CURSOR = '0';

const kSticky: unique symbol = Symbol('watertight.sticky');

/** What of a session has a partition already. */
interface Sticky {
  /** Of a client that was divided anew, another one: what was kept before no longer counts. */
  readonly affinity: Affinity;
  /** Of a session that the driver started for one operation or cursor. */
  whole: string | undefined;
  /** Of the transaction that is under way. */
  transaction: string | undefined;
  /** Of cursors on a session that the user started, by id. */
  cursors: Map<string, string> | undefined;
}

/** Not in a `WeakMap`: most sessions live for one operation, and each would be hashed and collected. */
interface StickySession extends Session {
  [kSticky]?: Sticky;
}

/**
 * Transactions and cursors stay in the partition where they began, whoever goes on with them: their
 * next command may come from another context, or from none.
 */
export class Affinity {
  /** The partition that the operation belongs to already, if it does. */
  of({ session, cursorId }: Operation): string | undefined {
    const sticky = session && (session as StickySession)[kSticky];
    if (!sticky || sticky.affinity !== this) return undefined;
    if (session.inTransaction()) {
      return session.transaction.isStarting ? undefined : sticky.transaction;
    }
    return sticky.whole ?? (cursorId === undefined ? undefined : sticky.cursors?.get(cursorId));
  }

  /** Where the operation went, what it began will go. */
  keep({ session, routedTo }: Operation): void {
    if (!session) return;
    if (session.inTransaction()) this.#stickyOf(session).transaction = routedTo;
    else if (!session.explicit) this.#stickyOf(session).whole = routedTo;
  }

  /** Keeps the partition of a cursor on a session of the user's, by the id that the server gives. */
  watch(operation: Operation, result: Promise<{ readonly id?: CursorId } | undefined>): void {
    const { session, cursorId, routedTo } = operation;
    if (routedTo === undefined || !session?.explicit || session.inTransaction()) return;
    if (!opensCursor(operation) && cursorId === undefined) return;
    const learn = (reply: { readonly id?: CursorId } | undefined): void => {
      const sticky = this.#stickyOf(session);
      const id = reply?.id?.toString() ?? NO_CURSOR;
      if (id !== NO_CURSOR) (sticky.cursors ??= new Map()).set(id, routedTo);
      else if (cursorId !== undefined) sticky.cursors?.delete(cursorId);
    };
    result.then(learn, () => {});
  }

  #stickyOf(session: StickySession): Sticky {
    const known = session[kSticky];
    if (known?.affinity === this) return known;
    // The cursors that nobody ends go with their session.
    return (session[kSticky] = {
      affinity: this,
      whole: undefined,
      transaction: undefined,
      cursors: undefined,
    });
  }
}
