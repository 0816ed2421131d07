import { describe, expect, test } from '@jest/globals';
import { Ledger, type Account } from '../../src/ledger.ts';

function take(ledger: Ledger, account: Account, permits: number): void {
  for (let n = 0; n < permits; n++) ledger.take(account);
}

describe('a ledger', () => {
  test('grants a wall exactly its size', () => {
    const ledger = new Ledger(20);
    const order = ledger.open(8, 8);
    take(ledger, order, 8);
    expect(ledger.canGrant(order)).toBe(false);
    expect([ledger.used, ledger.committed]).toEqual([8, 8]);
  });

  test('lets partitions share what none has reserved, up to their max', () => {
    const ledger = new Ledger(10);
    const [a, b] = [ledger.open(2, 8), ledger.open(2, 8)];
    take(ledger, a, 6);
    expect([ledger.available(a), ledger.available(b)]).toEqual([2, 4]);
    take(ledger, a, 2);
    expect([ledger.available(a), ledger.available(b)]).toEqual([0, 2]);
    take(ledger, b, 2);
    expect([ledger.canGrant(b), ledger.used]).toEqual([false, 10]);
  });

  test('keeps what is reserved for a partition that does not use it', () => {
    const ledger = new Ledger(4);
    const [batch, order] = [ledger.open(0, 4), ledger.open(3, 3)];
    ledger.take(batch);
    expect([ledger.canGrant(batch), ledger.available(order)]).toEqual([false, 3]);
  });

  test('says with `available` how often in a row `canGrant` is true', () => {
    for (const [size, max, other] of [
      [0, 3, 0],
      [1, 3, 2],
      [2, 2, 3],
      [3, 6, 4],
    ] as const) {
      const ledger = new Ledger(6);
      const [one, two] = [ledger.open(size, max), ledger.open(1, 4)];
      for (let n = 0; n < other && ledger.canGrant(two); n++) ledger.take(two);
      let granted = 0;
      const available = ledger.available(one);
      for (; ledger.canGrant(one); granted++) ledger.take(one);
      expect(granted).toBe(available);
    }
  });

  test('comes back to where it was when everything is given back', () => {
    const ledger = new Ledger(6);
    const [a, b] = [ledger.open(2, 5), ledger.open(1, 1)];
    take(ledger, a, 5);
    ledger.take(b);
    for (let n = 0; n < 5; n++) ledger.give(a);
    ledger.give(b);
    expect([ledger.used, ledger.committed]).toEqual([0, 3]);
  });

  test('ranks who is below its size before who is above it', () => {
    const ledger = new Ledger(4);
    const account = ledger.open(1, 3);
    const ranks = [0, 1, 2, 3].map((used) => ledger.rank({ ...account, used }));
    expect(ranks).toEqual([0, 2, 2, undefined]);
  });

  test('owes an account that opens late whatever others then give back', () => {
    const ledger = new Ledger(3);
    const batch = ledger.open(0, 3);
    take(ledger, batch, 3);
    const order = ledger.open(2, 2);
    expect([ledger.committed, ledger.canGrant(order), ledger.available(order)]).toEqual([
      5,
      false,
      0,
    ]);
    ledger.give(batch);
    expect([ledger.canGrant(batch), ledger.canGrant(order)]).toEqual([false, true]);
  });

  test('cannot be made to give what it does not have', () => {
    const ledger = new Ledger(1);
    const account = ledger.open(1, 1);
    expect(() => ledger.give(account)).toThrow('was not taken');
    ledger.take(account);
    expect(() => ledger.take(account)).toThrow('was not free');
    expect([ledger.used, ledger.committed]).toEqual([1, 1]);
  });
});
