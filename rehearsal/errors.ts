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

/** By code and not by class: an ESM and a CommonJS copy of this file may both be loaded. */
export function isRehearsalError(error: unknown): error is RehearsalError {
  return error instanceof Error && error.name === 'RehearsalError' && 'code' in error;
}

/** One line out of anything thrown. An AggregateError (localhost: ::1 and 127.0.0.1) has no message of its own. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return [...new Set(error.errors.map(describeError))].join(', ');
  }
  const message = error instanceof Error ? error.message || error.name : String(error);
  return message.replaceAll(/\s*\n\s*/g, ' ').trim();
}
