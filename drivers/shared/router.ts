import { currentContext } from '../../src/context.ts';
import { NoPartitionError, UnknownPartitionError } from '../../src/errors.ts';
import type { Partitioner } from '../../src/partitioner.ts';
import type { ResolvedDivision } from './division.ts';

/** Finds the partition of a call, as whatever a driver shows of it (a pool, a connection). */
export class Router<Shown> {
  readonly #shown = new Map<string, Shown>();
  readonly #partitioner: Partitioner;
  readonly #division: ResolvedDivision;

  constructor(partitioner: Partitioner, division: ResolvedDivision) {
    this.#partitioner = partitioner;
    this.#division = division;
  }

  set(name: string, shown: Shown): void {
    this.#shown.set(name, shown);
  }

  get all(): Iterable<Shown> {
    return this.#shown.values();
  }

  /** @throws `ERR_UNKNOWN_PARTITION` */
  of(name: string, hint?: string): Shown {
    const shown = this.#shown.get(name);
    if (shown === undefined) throw new UnknownPartitionError(name, this.#shown.keys(), hint);
    return shown;
  }

  /**
   * Never silently another partition: the context's own, the configured default, or an error.
   * @throws `ERR_NO_PARTITION`; `ERR_UNKNOWN_PARTITION` when `runIn` names one that is not here
   */
  route(): Shown {
    const { undivided, defaultPartition } = this.#division;
    const context = undivided ? undefined : currentContext();
    if (context) return this.of(context.partition, ' in runIn');
    if (defaultPartition === undefined) throw new NoPartitionError(this.#shown.keys());
    if (!undivided) this.#partitioner.partition(defaultPartition).recorder.contextFallbacks++;
    return this.of(defaultPartition);
  }
}
