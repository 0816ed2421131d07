/**
 * Overrides what a class inherits as a plain property by an accessor, which `class` syntax does not
 * allow where the types of a driver declare a property.
 */
export function override<P extends object>(
  pool: { readonly prototype: P },
  name: string,
  get: (pool: P) => unknown,
): void {
  Object.defineProperty(pool.prototype, name, {
    configurable: true,
    get(this: P) {
      return get(this);
    },
    // The constructor of the driver's pool assigns its own.
    set() {},
  });
}
