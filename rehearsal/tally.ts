import { percentiles, type Percentiles } from './percentiles.ts';

/** How a request ended that was not served. */
export type Loss = 'refused' | 'timedOut' | 'failed';

export interface PartitionResult {
  /** Requests that came. Every one of them ends as served, refused, timed out or failed. */
  readonly offered: number;
  readonly served: number;
  readonly servedInTime: number;
  readonly refused: number;
  readonly timedOut: number;
  readonly failed: number;
  /** How often a caller came again after it was refused or timed out. Not there: nobody did. */
  readonly retries?: number;
  /** What in time means, on the machine's clock. Not there: there is no deadline, all served are in time. */
  readonly answerWithinMillis?: number;
  /** Of the served ones, measured on the machine's clock from the intended arrival. */
  readonly latencyMillis: Percentiles;
  /** What the first failed request was told. */
  readonly firstFailure?: string;
}

/** Gauges and counters in the middle of a run. */
export interface PartitionProgress extends Readonly<Record<Loss, number>> {
  readonly offered: number;
  readonly served: number;
  readonly servedInTime: number;
  readonly waiting: number;
  readonly inUse: number;
}

/**
 * Counts what becomes of one partition's requests.
 * Invariant: offered = waiting + inUse + served + refused + timedOut + failed.
 */
export class Tally {
  readonly #answerWithinMillis: number | undefined;
  readonly #latencies: number[] = [];
  readonly #lost: Record<Loss, number> = { refused: 0, timedOut: 0, failed: 0 };
  #offered = 0;
  #inUse = 0;
  #servedInTime = 0;
  #retries = 0;
  #firstFailure: string | undefined;

  constructor(answerWithinMillis?: number) {
    this.#answerWithinMillis = answerWithinMillis;
  }

  offer(): void {
    this.#offered += 1;
  }

  begin(): void {
    this.#inUse += 1;
  }

  serve(latencyMillis: number): void {
    this.#inUse -= 1;
    this.#latencies.push(latencyMillis);
    if (latencyMillis <= (this.#answerWithinMillis ?? Infinity)) this.#servedInTime += 1;
  }

  /** The caller that was told no comes again, and is still the same request. */
  retry(): void {
    this.#retries += 1;
  }

  /** Not served: without a connection, or (after `begin`) with one that broke. */
  lose(loss: Loss, error: unknown, begun: boolean): void {
    if (begun) this.#inUse -= 1;
    this.#lost[loss] += 1;
    if (loss === 'failed') {
      this.#firstFailure ??= error instanceof Error ? error.message : String(error);
    }
  }

  progress(): PartitionProgress {
    const { refused, timedOut, failed } = this.#lost;
    const served = this.#latencies.length;
    return {
      offered: this.#offered,
      served,
      servedInTime: this.#servedInTime,
      ...this.#lost,
      waiting: this.#offered - this.#inUse - served - refused - timedOut - failed,
      inUse: this.#inUse,
    };
  }

  result(): PartitionResult {
    return {
      offered: this.#offered,
      served: this.#latencies.length,
      servedInTime: this.#servedInTime,
      ...this.#lost,
      ...(this.#retries === 0 ? {} : { retries: this.#retries }),
      ...(this.#answerWithinMillis === undefined
        ? {}
        : { answerWithinMillis: this.#answerWithinMillis }),
      latencyMillis: percentiles(this.#latencies),
      ...(this.#firstFailure === undefined ? {} : { firstFailure: this.#firstFailure }),
    };
  }
}
