/**
 * Puts a function of this one object in the place of the method that it has.
 * @returns puts the method back, unless somebody has hooked the hook meanwhile
 */
export function hook<T extends object, Name extends keyof T>(
  owner: T,
  name: Name,
  fn: T[Name],
): () => void {
  const before = Object.getOwnPropertyDescriptor(owner, name);
  owner[name] = fn;
  return () => {
    if (owner[name] !== fn) return;
    if (before) Object.defineProperty(owner, name, before);
    else Reflect.deleteProperty(owner, name);
  };
}
