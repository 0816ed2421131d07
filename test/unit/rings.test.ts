import { describe, expect, test } from '@jest/globals';
import type { Account, Rank } from '../../src/ledger.ts';
import { Rings } from '../../src/rings.ts';

class Member {
  readonly name: string;
  readonly account: Account;
  rank: Rank | undefined = undefined;

  constructor(name: string) {
    this.name = name;
    this.account = { size: 1, max: 1, used: 0 };
  }
}

const members = (...names: string[]): Member[] => names.map((name) => new Member(name));
const anybody = (): boolean => true;

describe('the rings', () => {
  test('serve a lower rank before a higher one, whoever came first', () => {
    const rings = new Rings<Member>();
    const [late, middle, first] = members('late', 'middle', 'first') as [Member, Member, Member];
    rings.enter(late, 2);
    rings.enter(middle, 1);
    rings.enter(first, 0);
    const served: string[] = [];
    for (let next = rings.next(anybody); next; next = rings.next(anybody)) {
      served.push(next.name);
      rings.enter(next, undefined);
    }
    expect(served).toEqual(['first', 'middle', 'late']);
  });

  test('let each of a rank take its turn', () => {
    const rings = new Rings<Member>();
    for (const member of members('a', 'b', 'c')) rings.enter(member, 2);
    const served = Array.from({ length: 6 }, () => {
      const next = rings.next(anybody) as Member;
      rings.enter(next, 2);
      return next.name;
    });
    expect(served).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('pass over a rank to which nothing can be granted', () => {
    const rings = new Rings<Member>();
    const [claim, other] = members('claim', 'other') as [Member, Member];
    rings.enter(claim, 0);
    rings.enter(other, 2);
    expect(rings.next((account) => account === other.account)).toBe(other);
    expect(rings.next(() => false)).toBeUndefined();
  });

  test('know whether anybody else waits', () => {
    const rings = new Rings<Member>();
    const [one, two] = members('one', 'two') as [Member, Member];
    expect(rings.hasOnly(one)).toBe(true);
    rings.enter(one, 1);
    expect([rings.hasOnly(one), rings.hasOnly(two)]).toEqual([true, false]);
    rings.enter(two, 2);
    expect([rings.hasOnly(one), rings.hasOnly(two)]).toEqual([false, false]);
    rings.enter(one, undefined);
    expect(rings.hasOnly(two)).toBe(true);
  });

  test('move a member between ranks without leaving it behind', () => {
    const rings = new Rings<Member>();
    const [member] = members('moving') as [Member];
    for (const rank of [2, 0, 1, undefined] as const) rings.enter(member, rank);
    expect(rings.next(anybody)).toBeUndefined();
    expect(member.rank).toBeUndefined();
  });
});
