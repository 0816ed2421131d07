/**
 * A callback for something that may never end, such as a hook or a server that fell silent.
 * @param what names it in the error
 * @returns a function of which the first call counts, the limit's own among them
 */
export function onceWithin(
  limitMillis: number,
  what: string,
  done: (error?: Error) => void,
): (error?: Error) => void {
  let told = false;
  const once = (error?: Error): void => {
    if (told) return;
    told = true;
    clearTimeout(timer);
    done(error);
  };
  const timer = setTimeout(() => {
    once(new Error(`${what} took longer than ${limitMillis} ms`));
  }, limitMillis);
  return once;
}
