import type { Settings } from '../arguments.ts';
import { resultOf, type Result } from '../result.ts';
import { Servers } from '../servers/index.ts';
import { explain, median, ratioOf } from '../statistics.ts';
import { table } from '../table.ts';
import { measurePair, type PairOfSlices } from './pair.ts';
import { fullPlan, quickPlan, type Contest, type Plan } from './plan.ts';
import type { Slice } from './worker.ts';

export async function overhead(
  settings: Settings,
  say: (text: string) => void,
): Promise<readonly Result[]> {
  const plan = settings.quick ? quickPlan : fullPlan;
  const servers = new Servers();
  try {
    const results: Result[] = [];
    for (const contest of plan.contests) {
      if (!contest.name.startsWith(settings.task ?? '')) continue;
      const measured = await measureContest(contest, plan, servers);
      say(describe(contest, measured, contest.queries ?? plan.queries));
      results.push(...[...measured].flatMap(([n, slices]) => resultsOf(contest, n, slices)));
    }
    return results;
  } finally {
    await servers.stop();
  }
}

type Measured = ReadonlyMap<number, readonly PairOfSlices[]>;

async function measureContest(
  { subject, against, transport, callers, queries }: Contest,
  plan: Plan,
  servers: Servers,
): Promise<Measured> {
  const url = await servers.urlOf(transport);
  const measured = new Map<number, PairOfSlices[]>(callers.map((n) => [n, []]));
  for (let pair = 0; pair < plan.pairs; pair++) {
    for (const n of callers) {
      const options = {
        ...plan,
        url,
        subject,
        against,
        callers: n,
        queries: queries ?? plan.queries,
      };
      measured.get(n)?.push(...(await measurePair(options)));
    }
  }
  return measured;
}

type Metric = (slice: Slice) => number;

const cpu: Metric = ({ user, system }) => user + system;
const user: Metric = (slice) => slice.user;
/** Queries per second, but for a factor. */
const throughput: Metric = ({ elapsed }) => 1 / elapsed;

const ratio = (slices: readonly PairOfSlices[], metric: Metric) =>
  ratioOf(
    slices.map((pair) => metric(pair.subject)),
    slices.map((pair) => metric(pair.against)),
  );

function resultsOf(contest: Contest, n: number, slices: readonly PairOfSlices[]): Result[] {
  const subject = contest.name.includes('runIn') ? 'watertight in runIn' : 'watertight';
  const bare = contest.against.replace(/ of \d+$/, '');
  const against = bare === 'partition' ? 'watertight partition' : bare;
  const { name } = contest;
  return [
    { name, metric: cpu },
    { name: `${name}, user CPU`, metric: user },
    { name: `${name}, throughput`, metric: throughput },
  ].flatMap((one) => {
    const measured = ratio(slices, one.metric);
    return measured ? [resultOf({ name: one.name, n, subject, against }, measured)] : [];
  });
}

function describe(contest: Contest, measured: Measured, queries: number): string {
  const rows = [...measured].map(([n, slices]) => {
    const micros = median(slices.map((pair) => cpu(pair.against))) / queries;
    const texts = [cpu, user, throughput].map((metric, index) => {
      const compared = ratio(slices, metric);
      return compared ? explain(compared, index === 0 ? contest.goals[n] : undefined) : '';
    });
    return [String(n), ...texts, micros.toFixed(1)];
  });
  const title = `${contest.name} (${contest.transport}): ${contest.subject} against ${contest.against}`;
  return [
    title,
    table(['callers', 'CPU', 'user CPU', 'throughput', 'µs of theirs'], rows),
    '',
  ].join('\n');
}
