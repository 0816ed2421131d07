import type { Document } from 'bson';
import { CommandError } from './errors.ts';
import { keyOf } from './matching.ts';
import type { Store } from './store.ts';

interface Transaction {
  readonly number: number;
  readonly store: Store;
}

const TRANSIENT = ['TransientTransactionError'];

/** The sessions of all clients, by their id, as far as a transaction is open in them. */
export class Sessions {
  readonly #store: Store;
  readonly #transactions = new Map<string, Transaction>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Transactions that are open now, with their locks. */
  get openTransactions(): number {
    return this.#transactions.size;
  }

  /** What a command works on: its transaction's copy, or the store itself. */
  storeFor(command: Document): Store {
    if (command['autocommit'] !== false) return this.#store;
    const session = keyOf(command['lsid']);
    const number = Number(command['txnNumber']);
    if (command['startTransaction'] === true) {
      this.#transactions.set(session, { number, store: this.#store.copy() });
    }
    return this.#transaction(command).store;
  }

  commit(command: Document): void {
    this.#store.takeOver(this.#transaction(command).store);
    this.end(command['lsid']);
  }

  abort(command: Document): void {
    this.#transaction(command);
    this.end(command['lsid']);
  }

  /** Ends the transaction of a session without a commit, if there is one. */
  end(lsid: unknown): void {
    this.#transactions.delete(keyOf(lsid));
  }

  #transaction(command: Document): Transaction {
    const found = this.#transactions.get(keyOf(command['lsid']));
    if (found && found.number === Number(command['txnNumber'])) return found;
    throw new CommandError(251, 'NoSuchTransaction', 'there is no such transaction', TRANSIENT);
  }
}
