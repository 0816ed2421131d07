import { describe, expect, test } from '@jest/globals';
import { Deadlines } from '../../src/deadlines.ts';
import type { Waiter } from '../../src/waiter.ts';
import { ReceiverWaiter } from '../fakes/receiver.ts';
import { FakeClock } from '../fakes/fake-clock.ts';

const OWN = 100;

function deadlines(clock: FakeClock = new FakeClock()) {
  const log: string[] = [];
  const names = new Map<Waiter, string>();
  const list = new Deadlines(clock, OWN, (waiter) => {
    log.push(`${names.get(waiter)} at ${clock.now()}`);
  });
  const arm = (name: string, millis = OWN): Waiter => {
    const receiver = { granted: () => undefined, rejected: () => undefined };
    const waiter = new ReceiverWaiter(receiver);
    waiter.begin(undefined, clock.now(), millis);
    names.set(waiter, name);
    list.arm(waiter);
    return waiter;
  };
  return { clock, log, list, arm };
}

describe('deadlines', () => {
  test('fall due each at its own time, with one timer for all of the usual length', () => {
    const { clock, log, arm } = deadlines();
    for (const name of ['a', 'b', 'c']) {
      arm(name);
      clock.advance(10);
    }
    expect(clock.timers).toBe(1);
    clock.advance(1000);
    expect(log).toEqual(['a at 100', 'b at 110', 'c at 120']);
    expect(clock.timers).toBe(0);
  });

  test('of other lengths have their own timers, and all come in order', () => {
    const { clock, log, arm } = deadlines();
    arm('own');
    arm('long', 150);
    arm('short', 5);
    expect(clock.timers).toBe(3);
    clock.advance(1000);
    expect(log).toEqual(['short at 5', 'own at 100', 'long at 150']);
  });

  test('that were met are never heard of again', () => {
    const { clock, log, list, arm } = deadlines();
    const waiters = [arm('a'), arm('b'), arm('c'), arm('short', 5)];
    for (const index of [1, 3, 0]) list.disarm(waiters[index] as Waiter);
    list.disarm(waiters[1] as Waiter);
    clock.advance(1000);
    expect(log).toEqual(['c at 100']);
  });

  test('keep the process alive only while told so, with the timer that is there or to come', () => {
    const { clock, log, list, arm } = deadlines();
    list.hold(true);
    const first = arm('a');
    expect(clock.pending).toBe(1);
    list.disarm(first);
    list.hold(false);
    expect([clock.pending, clock.timers]).toEqual([0, 1]);
    clock.advance(60);
    arm('b');
    expect(clock.pending).toBe(0);
    list.hold(true);
    expect(clock.pending).toBe(1);
    clock.advance(99);
    expect(log).toEqual([]);
    clock.advance(1);
    expect(log).toEqual(['b at 160']);
    expect(clock.timers).toBe(0);
  });

  test('are not taken for passed by a timer that fires early', () => {
    const { clock, log, arm } = deadlines(new FakeClock({ early: 0.5 }));
    arm('own');
    arm('alone', 40);
    clock.advance(1000);
    expect(log).toEqual(['alone at 40', 'own at 100']);
  });

  test('that passed during a stall are told together, in order, and the next one in time', () => {
    const { clock, log, arm } = deadlines();
    arm('a');
    clock.stall(50);
    arm('b');
    clock.stall(70);
    arm('c');
    clock.advance(0);
    expect(log).toEqual(['a at 120']);
    clock.advance(30);
    expect(log.slice(1)).toEqual(['b at 150']);
    clock.stall(500);
    clock.advance(0);
    expect(log.slice(2)).toEqual(['c at 650']);
  });

  test('leave no timer behind once they are stopped', () => {
    const { clock, list, arm } = deadlines();
    const waiter = arm('a');
    list.stop();
    expect(clock.timers).toBe(1);
    list.disarm(waiter);
    list.stop();
    expect(clock.timers).toBe(0);
    list.stop();
  });
});
