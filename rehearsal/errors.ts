import { types } from 'node:util';

export type RehearsalErrorCode =
  | 'ERR_CANNOT_CONNECT'
  | 'ERR_CONNECTION_LOST'
  | 'ERR_TOO_FEW_CONNECTIONS'
  | 'ERR_NO_SERVER'
  | 'ERR_REHEARSAL_OPTION';

/** The rehearsal could not be held at all; its message is meant to be read by people as it is. */
export class RehearsalError extends Error {
  override readonly name: string = 'RehearsalError';
  readonly code: RehearsalErrorCode;

  constructor(code: RehearsalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** By name and not by class: an ESM and a CommonJS copy of this file may both be loaded. */
export function isRehearsalError(error: unknown): error is RehearsalError {
  return types.isNativeError(error) && error.name === 'RehearsalError' && 'code' in error;
}

/**
 * The errors that an AggregateError (localhost: ::1 and 127.0.0.1) is made of; none of another.
 * Test runners give each file classes of its own, which errors of Node are no instances of.
 */
export function partsOf(error: unknown): readonly unknown[] {
  if (!types.isNativeError(error) || !('errors' in error)) return [];
  return Array.isArray(error.errors) ? error.errors : [];
}

/** One line out of anything thrown. An AggregateError has no message of its own. */
export function describeError(error: unknown): string {
  const parts = partsOf(error);
  if (parts.length > 0 && (error as Error).message === '') {
    return [...new Set(parts.map(describeError))].join(', ');
  }
  const message = types.isNativeError(error) ? error.message || error.name : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ').trim();
}
