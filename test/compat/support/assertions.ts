import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Served } from './served.ts';

/** Waits for 5 s at most: a library with a pool of its own keeps its connections for a while. */
export async function assertNothingInUse({ inUse }: Pick<Served<unknown>, 'inUse'>): Promise<void> {
  for (let turn = 0; turn < 250 && inUse() > 0; turn++) await delay(20);
  assert.equal(inUse(), 0);
}

/** With all of `order` held, `call` is told so, and `batch` goes on. */
export async function assertShortDeadline(
  served: Pick<Served<unknown>, 'fill' | 'inUse' | 'queryBatch'>,
  call: () => PromiseLike<unknown>,
): Promise<void> {
  await assertNothingInUse(served);
  await whileFull(served, async () => {
    const started = performance.now();
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.match(acquireTimeoutIn(error)?.message ?? String(error), /partition 'order' waited/);
    assert.ok(performance.now() - started < 30_000, 'not the deadline of the library');
    await served.queryBatch();
  });
}

/** With every connection of `order` held by somebody. */
export async function whileFull(
  { fill }: Pick<Served<unknown>, 'fill'>,
  work: () => Promise<void>,
): Promise<void> {
  const release = await fill();
  try {
    await work();
  } finally {
    await release();
  }
}

/**
 * Libraries wrap what a driver throws: it is the error itself or one of its causes. Prisma makes an
 * error of its own, with the code and the message.
 */
function acquireTimeoutIn(error: unknown): Error | undefined {
  // Sequelize has `original` in place of `cause`.
  for (
    let each = error;
    each instanceof Error;
    each = each.cause ?? Reflect.get(each, 'original')
  ) {
    if (Reflect.get(each, 'code') === 'ERR_ACQUIRE_TIMEOUT') return each;
  }
  return undefined;
}
