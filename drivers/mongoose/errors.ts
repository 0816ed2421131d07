/**
 * The driver asks an error for its labels where it decides on retries, without a look at its class. Ours
 * have none: an operation that was refused is not sent again, and says nothing about the server.
 */
export function asDriverError(error: Error): Error {
  if (!('hasErrorLabel' in error)) {
    Object.defineProperty(error, 'hasErrorLabel', { value: hasErrorLabel });
  }
  return error;
}

const hasErrorLabel = (): boolean => false;
