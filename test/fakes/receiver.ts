import type { AcquireOptions } from '../../src/acquire-options.ts';
import type { Lease } from '../../src/lease.ts';
import type { Partition } from '../../src/partition.ts';
import { Waiter } from '../../src/waiter.ts';

/** What a test does with the outcome of a request. */
export interface Receiver {
  granted(lease: Lease, now?: number): void;
  rejected(error: Error): void;
}

/** A driver's call in miniature: a waiter that is told through two functions. */
export class ReceiverWaiter extends Waiter {
  readonly #receiver: Receiver;

  constructor(receiver: Receiver) {
    super();
    this.#receiver = receiver;
  }

  override granted(lease: Lease, now?: number): void {
    this.#receiver.granted(lease, now);
  }

  override rejected(error: Error): void {
    this.#receiver.rejected(error);
  }
}

export function request(
  partition: Partition,
  options: AcquireOptions | undefined,
  receiver: Receiver,
): void {
  partition.enter(new ReceiverWaiter(receiver), options);
}
