export interface Resolvers {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

/** `Promise.withResolvers`, which Node 20 lacks. */
export function withResolvers(): Resolvers {
  let resolve!: () => void;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
