import type { PoolClient, PoolConfig } from 'pg';

/** pg waits for its hooks without a limit; one that never returns would keep a permit for ever. */
export function boundHooks(options: PoolConfig, limitMillis: number): PoolConfig {
  const bounded: PoolConfig = Object.defineProperties(
    {},
    Object.getOwnPropertyDescriptors(options),
  );
  bounded.connectionTimeoutMillis = limitMillis;
  const { onConnect, verify } = options;
  if (onConnect)
    bounded.onConnect = (client): Promise<void> => within(limitMillis, () => onConnect(client));
  if (verify) bounded.verify = (client, done) => verifyWithin(limitMillis, verify, client, done);
  return bounded;
}

/** pg-pool's own test of a new client, with a callback. */
function verifyWithin(
  limitMillis: number,
  verify: NonNullable<PoolConfig['verify']>,
  client: PoolClient,
  done: (error?: Error) => void,
): void {
  let told = false;
  const once = (error?: Error): void => {
    if (told) return;
    told = true;
    clearTimeout(timer);
    done(error);
  };
  const timer = setTimeout(() => {
    once(new Error(`verify did not call back within ${limitMillis} ms`));
  }, limitMillis);
  verify(client, once);
}

function within(limitMillis: number, hook: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`onConnect did not return within ${limitMillis} ms`));
    }, limitMillis);
    Promise.resolve()
      .then(hook)
      .then(() => resolve(), reject)
      .finally(() => clearTimeout(timer));
  });
}
