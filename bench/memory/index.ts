import { askChild } from '../ask-child.ts';
import type { Settings } from '../arguments.ts';
import { resultOf, type Result } from '../result.ts';
import { median, ratioOf } from '../statistics.ts';
import { subjects } from '../subjects/index.ts';
import { size, table } from '../table.ts';
import type { Answer, Belongings, Question } from './worker.ts';

const worker = new URL('worker.js', import.meta.url);
const ask = async (question: Question): Promise<Answer> =>
  (await askChild(worker, question)) as Answer;

const waiters = 100_000;
const goalBytes = 300;
const rounds = 3;
/** Code, feedback and caches of Node still grow by as much; a leak of two bytes a time is more. */
const slackBytes = 512 * 1024;

export async function memory(
  { quick }: Settings,
  say: (text: string) => void,
): Promise<readonly Result[]> {
  const perWaiter = await bytesPerWaiter(quick ? 1 : rounds, say);
  const gone = await leftBehind('gone', quick ? 300_000 : 1_000_000, say);
  const checkouts = await leftBehind('checkouts', quick ? 1_000_000 : 10_000_000, say);
  return [...perWaiter, gone, checkouts];
}

async function bytesPerWaiter(
  times: number,
  say: (text: string) => void,
): Promise<readonly Result[]> {
  const bytes = new Map<string, number[]>();
  const names = subjects().map(({ name }) => name);
  for (let round = 0; round < times; round++) {
    for (const subject of names) {
      const { before, after } = await ask({ what: 'waiter', subject, n: waiters });
      const all = bytes.get(subject) ?? [];
      bytes.set(subject, [...all, (after.bytes - before.bytes) / waiters]);
    }
  }
  const rows = [...bytes].map(([name, all]) => [name, median(all).toFixed(0)]);
  say(table([`bytes per waiter, ${size(waiters)} waiting`, ''], rows));
  const ours = median(bytes.get('watertight') ?? []);
  say(
    `  watertight: ${ours.toFixed(0)}, goal ${goalBytes}: ${ours <= goalBytes ? 'met' : 'missed'}\n`,
  );
  const limit = bytes.get('minimal') ?? [];
  return [...bytes].flatMap(([subject, all]) => {
    const ratio = subject === 'minimal' ? undefined : ratioOf(all, limit);
    const what = { name: 'bytes per waiter', n: waiters, subject, against: 'minimal' };
    return ratio ? [resultOf(what, ratio)] : [];
  });
}

const titles = {
  gone: 'waiters came and went (served, timed out, called off)',
  checkouts: 'checkouts',
} as const;

async function leftBehind(
  what: 'gone' | 'checkouts',
  n: number,
  say: (text: string) => void,
): Promise<Result> {
  const { before, after } = await ask({ what, n });
  const rows = (['bytes', 'listeners', 'timers', 'descriptors'] as const).map((name) => [
    name === 'bytes' ? 'bytes of heap' : name,
    count(before[name]),
    count(after[name]),
  ]);
  say(table([`${size(n)} ${titles[what]}`, 'before', 'after'], rows));
  say(`  ${isFlat(before, after) ? 'flat' : 'NOT FLAT: something is left behind'}\n`);
  const ratio = after.bytes / before.bytes;
  const name = `heap after ${what === 'gone' ? 'waiters came and went' : 'checkouts'}`;
  return resultOf(
    { name, n, subject: 'watertight', against: 'heap before' },
    { ratio, spread: [ratio, ratio], rounds: 1 },
  );
}

const count = (value: number): string => value.toLocaleString('en');

const isFlat = (before: Belongings, after: Belongings): boolean =>
  after.bytes <= before.bytes + slackBytes &&
  after.listeners <= before.listeners &&
  after.timers <= before.timers &&
  after.descriptors <= before.descriptors;
