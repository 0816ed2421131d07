import { types } from 'node:util';
import { withoutCode } from '../config/read-text.ts';
import { describeError } from '../rehearsal/errors.ts';

/** A line for each output that cannot be written. */
export class CannotWrite extends Error {
  override readonly name: string = 'CannotWrite';
}

/** @param option that asked for it */
export function cannotWrite(
  option: string | undefined,
  output: string,
  error: unknown,
): CannotWrite {
  const asked = option === undefined ? '' : `${option}: `;
  const reason =
    codeOf(error) === 'ENOENT' ? 'there is no such folder' : withoutCode(describeError(error));
  return new CannotWrite(`${asked}cannot write ${output}: ${reason}`);
}

export const codeOf = (error: unknown): unknown =>
  types.isNativeError(error) && 'code' in error ? error.code : undefined;
