import { describe, expect, jest, test } from '@jest/globals';
import { currentContext, runIn } from '../../src/context.ts';

const current = (): string | undefined => currentContext()?.partition;

describe('runIn', () => {
  test('returns what the function returns, and throws what it throws', async () => {
    expect(runIn('batch', () => 42)).toBe(42);
    expect(() =>
      runIn('batch', () => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
    await expect(runIn('batch', async () => Promise.reject(new Error('later')))).rejects.toThrow(
      'later',
    );
  });

  test('holds for everything below it, and ends with it', async () => {
    const log: (string | undefined)[] = [];
    const done = runIn('batch', async () => {
      log.push(current());
      await Promise.resolve();
      log.push(current());
      await new Promise((resolve) => setImmediate(resolve));
      log.push(current());
      await new Promise<void>((resolve) => process.nextTick(resolve));
      setTimeout(() => log.push(current()), 0);
      await new Promise((resolve) => setTimeout(resolve, 1));
    });
    log.push(current());
    await done;
    expect(log).toEqual(['batch', undefined, 'batch', 'batch', 'batch']);
  });

  test('inside another wins until it returns', async () => {
    const log: (string | undefined)[] = [];
    await runIn('outer', async () => {
      await runIn('inner', async () => {
        await Promise.resolve();
        log.push(current());
      });
      log.push(current());
    });
    expect(log).toEqual(['inner', 'outer']);
  });

  test('keeps calls that run side by side apart', async () => {
    const seen = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        runIn(name, async () => {
          for (let n = 0; n < 5; n++) await Promise.resolve();
          return current();
        }),
      ),
    );
    expect(seen).toEqual(['a', 'b', 'c']);
  });

  test('leaves a label for the errors', () => {
    const label = runIn('batch', () => currentContext()?.label, { label: 'month end' });
    expect([label, runIn('batch', () => currentContext()?.label)]).toEqual([
      'month end',
      undefined,
    ]);
  });

  test('is the same for every copy of the module in the process', () => {
    type Copy = typeof import('../../src/context.ts');
    let copy: Copy | undefined;
    jest.isolateModules(() => {
      copy = jest.requireActual<Copy>('../../src/context.ts');
    });
    expect(copy?.runIn).not.toBe(runIn);
    expect(runIn('batch', () => copy?.currentContext()?.partition)).toBe('batch');
    expect(copy?.runIn('order', current)).toBe('order');
  });

  test('refuses what is no name and no function', () => {
    const wrong = runIn as (name: unknown, fn: unknown) => unknown;
    expect(() => wrong('', current)).toThrow('runIn: expected the name of a partition');
    expect(() => wrong(7, current)).toThrow('expected the name of a partition, got number');
    expect(() => wrong('batch', 'x')).toThrow("expected a function to run in 'batch', got string");
  });
});

/** A query as mongoose and Knex make it: sent when somebody awaits it. */
class Query {
  readonly sentIn: (string | undefined)[] = [];
  failure: Error | undefined = undefined;

  // oxlint-disable-next-line unicorn/no-thenable -- it is what is tested
  then(resolve: (rows: number) => void, reject: (error: Error) => void): void {
    this.sentIn.push(current());
    if (this.failure) reject(this.failure);
    else resolve(42);
  }
}

describe('a query that runIn returns without an await', () => {
  test('is sent in the partition, once, and is a promise for whoever gets it', async () => {
    const query = new Query();
    const result = runIn('batch', () => query);
    expect(result).toBeInstanceOf(Promise);
    expect(query.sentIn).toEqual(['batch']);
    expect(await result).toBe(42);
    expect(query.sentIn).toEqual(['batch']);
  });

  test('fails as it does without us', async () => {
    const query = new Query();
    query.failure = new Error('mine');
    await expect(runIn('batch', () => query)).rejects.toThrow('mine');
  });

  test('is told from promises and from all other values, which are returned as they are', () => {
    const promise = Promise.resolve(1);
    const values = [promise, undefined, null, 0, 'text', current];
    for (const value of values) expect(runIn('batch', () => value)).toBe(value);
  });
});
