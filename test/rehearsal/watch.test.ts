import { expect, test } from '@jest/globals';
import type { Witness } from '../../rehearsal/subject.ts';
import { ConnectionWatch } from '../../rehearsal/watch.ts';
import { FakeClock } from './fake-clock.ts';

function witness(answers: (number | Error)[]): Witness {
  return {
    server: 'fake',
    room: () => Promise.resolve({ free: 100, because: '' }),
    countConnections() {
      const answer = answers.shift() ?? 0;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    close: () => Promise.resolve(),
  };
}

test('the peak is the highest count, and stays when the count goes down', async () => {
  const clock = new FakeClock();
  const options = { label: 'run', everyMillis: 25, clock, onLost: () => undefined };
  const watch = new ConnectionWatch({ ...options, witness: witness([3, 20, 5]) });
  await clock.advance(60);
  expect([watch.peak, watch.now]).toEqual([20, 5]);
  await watch.stop();
  expect(clock.pending).toBe(0);
});

test('a lost witness is told once and not asked again', async () => {
  const clock = new FakeClock();
  const lost: unknown[] = [];
  const broken = new Error('terminated');
  const options = { label: 'run', everyMillis: 25, clock, onLost: (e: unknown) => lost.push(e) };
  const watch = new ConnectionWatch({ ...options, witness: witness([1, broken, 7]) });
  await clock.advance(200);
  expect(lost).toEqual([broken]);
  expect(watch.peak).toBe(1);
  await watch.stop();
});
