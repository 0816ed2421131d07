import { callUser } from '../../src/call-user.ts';
import { checkEndOptions, type EndOptions } from '../shared/end.ts';

type EndCallback = (error?: Error) => void;

/** pg's two call styles of `end`, and its refusal of a second call. */
export function endOnce(
  pool: { readonly ending: boolean; readonly Promise: PromiseConstructor },
  given: EndOptions | EndCallback | undefined,
  end: (options: EndOptions) => Promise<void>,
): Promise<void> | void {
  const options = typeof given === 'object' && given !== null ? given : {};
  const ended = pool.ending
    ? Promise.reject(new Error('Called end on pool more than once'))
    : checkAndEnd(options, end);
  if (typeof given !== 'function') {
    return new pool.Promise((resolve, reject) => ended.then(resolve, reject));
  }
  ended.then(
    () => callUser(() => given()),
    (error: Error) => callUser(() => given(error)),
  );
}

async function checkAndEnd(
  options: EndOptions,
  end: (options: EndOptions) => Promise<void>,
): Promise<void> {
  checkEndOptions(options);
  await end(options);
}
