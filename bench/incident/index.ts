import { askChild } from '../ask-child.ts';
import type { Settings } from '../arguments.ts';
import { resultOf, type Result } from '../result.ts';
import { startPostgres } from '../servers/postgres.ts';
import { median, ratioOf } from '../statistics.ts';
import { table } from '../table.ts';
import { contenders } from './contenders.ts';
import type { Incident, Question } from './worker.ts';

const worker = new URL('worker.js', import.meta.url);
const names = Object.keys(contenders);
const today = 'one pool, timeout 60 s';
/** In how many processes the whole story is told. */
const rounds = 5;
const quickRounds = 1;

export async function incident(
  { quick }: Settings,
  say: (text: string) => void,
): Promise<readonly Result[]> {
  const told = new Map<string, Incident[]>(names.map((name) => [name, []]));
  const server = await startPostgres(20);
  try {
    for (let round = 0; round < (quick ? quickRounds : rounds); round++) {
      for (const contender of round % 2 === 0 ? names : names.toReversed()) {
        const question: Question = { contender, url: server.urls['unix socket'] };
        told.get(contender)?.push((await askChild(worker, question)) as Incident);
      }
    }
  } finally {
    await server.stop();
  }
  say(describe(told));
  return resultsOf(told);
}

type Told = ReadonlyMap<string, readonly Incident[]>;

const percent = (part: number): string => `${(100 * part).toFixed(part === 1 ? 0 : 1)} %`;

function describe(told: Told): string {
  const head = ['ten times as fast as the story', 'answered', 'within 1 s', 'p50', 'p99'];
  const rows = [...told].map(([name, all]) => {
    const of = (key: keyof Incident): number => median(all.map((one) => one[key]));
    const failed = of('failedReports');
    return [
      name,
      percent(of('answered')),
      percent(of('withinSecond')),
      `${of('p50').toFixed(1)} ms`,
      `${of('p99').toFixed(1)} ms`,
      `${of('batchMillis').toFixed(0)} ms${failed > 0 ? `, ${failed} failed` : ''}`,
    ];
  });
  const title = 'incident: 50 reports of 5 s at once, 80 requests/s, 20 connections';
  return [title, table([...head, 'batch'], rows), ''].join('\n');
}

const metrics = {
  answered: 'share answered',
  withinSecond: 'share answered within 1 s',
  p99: 'p99 of what was answered',
  batchMillis: 'time of the batch',
} as const;

function resultsOf(told: Told): Result[] {
  const base = told.get(today) ?? [];
  return names
    .filter((name) => name !== today)
    .flatMap((subject) =>
      (Object.keys(metrics) as (keyof typeof metrics)[]).flatMap((key) => {
        const values = (told.get(subject) ?? []).map((one) => one[key]);
        const ratio = ratioOf(
          values,
          base.map((one) => one[key]),
        );
        const what = { name: `incident, ${metrics[key]}`, n: 50, subject, against: today };
        return ratio ? [resultOf(what, ratio)] : [];
      }),
    );
}
