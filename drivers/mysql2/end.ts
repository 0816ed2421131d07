import { callUser } from '../../src/call-user.ts';
import { checkEndOptions, type EndOptions } from '../shared/end.ts';

/** mysql2's own callback of `end`. */
export type EndCallback = (error: NodeJS.ErrnoException | null, ...args: unknown[]) => unknown;

/**
 * mysql2 closes the connections of holders at once, in the middle of a transaction; and programs
 * that never release one still end. So holders are awaited, but not for ever.
 */
export const END_TIMEOUT_MILLIS = 5000;

/**
 * mysql2's call style of `end`. A second call joins the first.
 * @throws `ERR_CONFIG`
 */
export function endWithCallback(
  given: EndOptions | EndCallback | undefined,
  callback: EndCallback | undefined,
  end: (options: EndOptions) => Promise<void>,
): void {
  const options = typeof given === 'object' && given !== null ? given : {};
  const tell = typeof given === 'function' ? given : callback;
  checkEndOptions(options);
  void endAndTell(() => end({ timeoutMillis: END_TIMEOUT_MILLIS, ...options }), tell);
}

async function endAndTell(end: () => Promise<void>, tell: EndCallback | undefined): Promise<void> {
  await end();
  if (tell) callUser(() => tell(null));
}
