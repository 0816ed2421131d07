import { types } from 'node:util';

/** The name that goes with each code. Not taken from the classes, which minifiers rename. */
const NAMES = {
  ERR_ACQUIRE_TIMEOUT: 'AcquireTimeoutError',
  ERR_ACQUIRE_ABORTED: 'AbortError',
  ERR_PARTITION_FULL: 'PartitionFullError',
  ERR_PARTITION_CLOSED: 'PartitionClosedError',
  ERR_UNKNOWN_PARTITION: 'UnknownPartitionError',
  ERR_NO_PARTITION: 'NoPartitionError',
  ERR_LEASE_RELEASED: 'LeaseReleasedError',
  ERR_CONFIG: 'ConfigError',
} as const;

/**
 * Every error of watertight. Test the `code`, not the class: an ES module copy and a CommonJS copy
 * of the package may both be loaded in one process.
 */
export type ErrorCode = keyof typeof NAMES;

export class WatertightError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = NAMES[code];
    this.code = code;
  }
}

/** Who has a lease, as errors and statistics show it. */
export interface Holder {
  /** The `label` given to the acquire. */
  readonly label?: string;
  /** Milliseconds since the permit was granted. */
  readonly heldMillis: number;
  /** What the driver knows of the connection, such as the server's process id. */
  readonly [detail: string]: unknown;
}

/** What a partition looked like when it said no. */
export interface AcquireDetails {
  readonly message: string;
  readonly partition: string;
  /** waiting: for a permit. connecting: a permit was there, the connection was not yet. */
  readonly step: 'waiting' | 'connecting';
  readonly waitedMillis: number;
  readonly inUse: number;
  readonly size: number;
  readonly max: number;
  readonly waiting: number;
  /** Who holds the partition's permits, longest first; at most ten. */
  readonly holders: readonly Holder[];
  /** The setting that would have admitted this call, with the value it has now. */
  readonly setting: string | undefined;
  readonly headers: { readonly 'Retry-After': string };
}

/**
 * A call got no lease. `status`, `statusCode`, `headers` and `expose` let web frameworks answer 503
 * with `Retry-After` when the error reaches them as it is.
 */
export class AcquireError extends WatertightError {
  readonly partition: string;
  readonly step: 'waiting' | 'connecting';
  /** Milliseconds from the call to this error. */
  readonly waitedMillis: number;
  readonly inUse: number;
  readonly size: number;
  readonly max: number;
  readonly waiting: number;
  readonly holders: readonly Holder[];
  readonly setting: string | undefined;
  readonly status = 503;
  readonly statusCode = 503;
  /** The message is not for those who asked: it names partitions and holders. */
  readonly expose = false;
  readonly headers: { readonly 'Retry-After': string };

  constructor(code: ErrorCode, details: AcquireDetails, options?: ErrorOptions) {
    super(code, details.message, options);
    this.partition = details.partition;
    this.step = details.step;
    this.waitedMillis = details.waitedMillis;
    this.inUse = details.inUse;
    this.size = details.size;
    this.max = details.max;
    this.waiting = details.waiting;
    this.holders = details.holders;
    this.setting = details.setting;
    this.headers = details.headers;
  }
}

/** `ERR_ACQUIRE_TIMEOUT`: the deadline passed while waiting or connecting. */
export class AcquireTimeoutError extends AcquireError {
  constructor(details: AcquireDetails) {
    super('ERR_ACQUIRE_TIMEOUT', details);
  }
}

/** `ERR_PARTITION_FULL`: the line is at `maxWaiting`, or the call was not willing to wait. */
export class PartitionFullError extends AcquireError {
  constructor(details: AcquireDetails) {
    super('ERR_PARTITION_FULL', details);
  }
}

/** `ERR_PARTITION_CLOSED`: the partition or its pool was closed before or during the wait. */
export class PartitionClosedError extends AcquireError {
  constructor(details: AcquireDetails) {
    super('ERR_PARTITION_CLOSED', details);
  }
}

/** `ERR_ACQUIRE_ABORTED`: the caller's signal; its reason is the `cause`. `name` is AbortError. */
export class AcquireAbortedError extends AcquireError {
  constructor(details: AcquireDetails, options?: ErrorOptions) {
    super('ERR_ACQUIRE_ABORTED', details, options);
  }
}

/** `ERR_UNKNOWN_PARTITION`: no partition has this name. */
export class UnknownPartitionError extends WatertightError {
  readonly partition: string;

  constructor(name: string, known: Iterable<string>, hint = '') {
    const names = [...known].map((one) => `'${one}'`).join(', ');
    super('ERR_UNKNOWN_PARTITION', `unknown partition '${name}'${hint}; there are: ${names}`);
    this.partition = name;
  }
}

/** `ERR_NO_PARTITION`: a call on the pool itself, outside `runIn`, without `defaultPartition`. */
export class NoPartitionError extends WatertightError {
  constructor(known: Iterable<string>) {
    const names = [...known].map((one) => `'${one}'`).join(', ');
    super(
      'ERR_NO_PARTITION',
      `this call names no partition: use pool.partition(name), run it inside runIn(name, fn), ` +
        `or set defaultPartition to one of ${names}`,
    );
  }
}

/** `ERR_LEASE_RELEASED`: a lease was released a second time; the first release stands. */
export class LeaseReleasedError extends WatertightError {
  readonly partition: string;

  constructor(partition: string) {
    super(
      'ERR_LEASE_RELEASED',
      `this lease of partition '${partition}' was released before; release each lease once`,
    );
    this.partition = partition;
  }
}

/** One thing wrong with a configuration. */
export interface Fault {
  /** Where: `partitions.order.size`. */
  readonly path: string;
  /** The rule that was broken: `expected an integer from 0 up`. */
  readonly rule: string;
  /** The value that was found, if one was. */
  readonly got?: unknown;
}

/** `ERR_CONFIG`: all faults of a configuration or of one call's options at once. */
export class ConfigError extends WatertightError {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super('ERR_CONFIG', configMessage(faults));
    this.faults = faults;
  }
}

const hasCode = (error: unknown, code: ErrorCode): boolean =>
  types.isNativeError(error) && 'code' in error && error.code === code;

export const isAcquireTimeoutError = (error: unknown): error is AcquireTimeoutError =>
  hasCode(error, 'ERR_ACQUIRE_TIMEOUT');
export const isAcquireAbortedError = (error: unknown): error is AcquireAbortedError =>
  hasCode(error, 'ERR_ACQUIRE_ABORTED');
export const isPartitionFullError = (error: unknown): error is PartitionFullError =>
  hasCode(error, 'ERR_PARTITION_FULL');
export const isPartitionClosedError = (error: unknown): error is PartitionClosedError =>
  hasCode(error, 'ERR_PARTITION_CLOSED');
export const isUnknownPartitionError = (error: unknown): error is UnknownPartitionError =>
  hasCode(error, 'ERR_UNKNOWN_PARTITION');
export const isNoPartitionError = (error: unknown): error is NoPartitionError =>
  hasCode(error, 'ERR_NO_PARTITION');
export const isLeaseReleasedError = (error: unknown): error is LeaseReleasedError =>
  hasCode(error, 'ERR_LEASE_RELEASED');
export const isConfigError = (error: unknown): error is ConfigError => hasCode(error, 'ERR_CONFIG');

/** True for any error that means "no lease": full, timed out, aborted or closed. */
export const isAcquireError = (error: unknown): error is AcquireError =>
  isAcquireTimeoutError(error) ||
  isPartitionFullError(error) ||
  isAcquireAbortedError(error) ||
  isPartitionClosedError(error);

/** `partitions.order.size: expected an integer from 0 up, got 'eight'` */
export const faultLine = (fault: Fault): string =>
  `${fault.path}: ${fault.rule}${'got' in fault ? `, got ${inspect(fault.got)}` : ''}`;

function configMessage(faults: readonly Fault[]): string {
  const lines = faults.map(faultLine);
  if (lines.length === 1) return `watertight: ${lines[0]}`;
  return `watertight: ${lines.length} faults in the configuration\n${lines.map((line) => `  - ${line}`).join('\n')}`;
}

function inspect(value: unknown): string {
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'bigint') return `${value}n`;
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
