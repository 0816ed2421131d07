import { Faults } from './config.ts';

/** What a caller may say about one acquire. */
export interface AcquireOptions {
  /** Gives the call up: it leaves the line and rejects with `ERR_ACQUIRE_ABORTED`. */
  signal?: AbortSignal | undefined;
  /**
   * Milliseconds from the call until it rejects with `ERR_ACQUIRE_TIMEOUT`, 0 to 30000. 0 never
   * waits in line: it is granted at once or rejects with `ERR_PARTITION_FULL`.
   * @defaultValue the partition's `acquireTimeoutMillis`
   */
  acquireTimeoutMillis?: number | undefined;
  /**
   * Place in the partition's own line: higher first, first come first served among equals.
   * @defaultValue 0
   */
  priority?: number | undefined;
  /**
   * Says in errors who holds the lease: a job name, a route.
   * @defaultValue the label of the surrounding `runIn`
   */
  label?: string | undefined;
}

const OPTIONS = ['signal', 'acquireTimeoutMillis', 'priority', 'label'];

/** @throws `ERR_CONFIG` with every fault at once. */
export function checkAcquireOptions(options: AcquireOptions): void {
  const { acquireTimeoutMillis, priority, signal } = options;
  const faults = new Faults();
  faults.unknownKeys('', options, OPTIONS);
  if (acquireTimeoutMillis !== undefined) {
    faults.timeout('acquireTimeoutMillis', acquireTimeoutMillis);
  }
  if (priority !== undefined && !Number.isFinite(priority)) {
    faults.add('priority', 'expected a finite number, higher first', priority);
  }
  // Most likely the controller itself; found out later, the call would be lost half-way.
  if (signal && typeof signal.addEventListener !== 'function') {
    faults.add('signal', 'expected an AbortSignal', signal);
  }
  faults.throwIfAny();
}
