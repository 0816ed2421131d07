/** A copy of a driver's module, lazy members included, with our own in place of some of its own. */
export function withOwn(stock: object, own: Readonly<Record<string, unknown>>): object {
  const descriptors: PropertyDescriptorMap = Object.getOwnPropertyDescriptors(stock);
  for (const [name, value] of Object.entries(own)) {
    descriptors[name] = { value, enumerable: true, configurable: true, writable: true };
  }
  return Object.defineProperties({}, descriptors);
}
