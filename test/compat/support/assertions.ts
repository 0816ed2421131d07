import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { isAcquireError, type AcquireError } from 'watertight';
import type { Served } from './served.ts';

/** Waits for 5 s at most: a library with a pool of its own keeps its connections for a while. */
export async function assertNothingInUse({ inUse }: Pick<Served<unknown>, 'inUse'>): Promise<void> {
  for (let turn = 0; turn < 250 && inUse() > 0; turn++) await delay(20);
  assert.equal(inUse(), 0);
}

/** With all of `order` held, `call` is told so, and `batch` goes on. */
export async function assertShortDeadline(
  served: Served<unknown>,
  call: () => PromiseLike<unknown>,
): Promise<void> {
  await assertNothingInUse(served);
  const release = await served.fill();
  try {
    const started = performance.now();
    const error = await call().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const found = acquireErrorIn(error);
    assert.equal(found?.code, 'ERR_ACQUIRE_TIMEOUT', String(error));
    assert.equal(found.partition, 'order');
    assert.ok(performance.now() - started < 30_000, 'not the deadline of the library');
    await served.queryBatch();
  } finally {
    await release();
  }
}

/** Libraries wrap what a driver throws: it is the error itself or one of its causes. */
function acquireErrorIn(error: unknown): AcquireError | undefined {
  // Sequelize has `original` in place of `cause`.
  for (
    let each = error;
    each instanceof Error;
    each = each.cause ?? Reflect.get(each, 'original')
  ) {
    if (isAcquireError(each)) return each;
  }
  return undefined;
}
