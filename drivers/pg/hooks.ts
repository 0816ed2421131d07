import type { PoolConfig } from 'pg';
import { onceWithin } from '../shared/limit.ts';

/** pg waits for its hooks without a limit; one that never returns would keep a permit for ever. */
export function boundHooks(options: PoolConfig, limitMillis: number): PoolConfig {
  const bounded: PoolConfig = Object.defineProperties(
    {},
    Object.getOwnPropertyDescriptors(options),
  );
  bounded.connectionTimeoutMillis = limitMillis;
  const { onConnect, verify } = options;
  if (onConnect) {
    bounded.onConnect = (client): Promise<void> => within(limitMillis, () => onConnect(client));
  }
  if (verify) {
    bounded.verify = (client, done) => verify(client, onceWithin(limitMillis, 'verify', done));
  }
  return bounded;
}

function within(limitMillis: number, hook: () => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = onceWithin(limitMillis, 'onConnect', (error) => {
      if (error) reject(error);
      else resolve();
    });
    Promise.resolve()
      .then(hook)
      .then(() => settle(), settle);
  });
}
