import { RehearsalError } from './errors.ts';

export function optionError(faults: readonly string[]): RehearsalError {
  return new RehearsalError('ERR_REHEARSAL_OPTION', faults.join('\n'));
}
