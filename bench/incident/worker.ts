import { answer } from '../ask-child.ts';
import { quantile } from '../statistics.ts';
import { contenders, timeScale, type Contender } from './contenders.ts';

export interface Question {
  readonly contender: string;
  readonly url: string;
}

/** Times in milliseconds of the bench, not of the story. */
export interface Incident {
  readonly answered: number;
  readonly withinSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly batchMillis: number;
  readonly failedReports: number;
}

const reports = 50;
const requestsPerSecond = 80 / timeScale;
const lengthMillis = 20_000 * timeScale;
const secondMillis = 1000 * timeScale;
const tickMillis = 1;

answer(async ({ contender: name, url }: Question) => {
  const contender = contenders[name]?.(url);
  if (!contender) throw new Error(`unknown: ${name}`);
  // Connected and warm, as a service is when the month ends.
  await Promise.all(Array.from({ length: 100 }, (_, index) => contender.request(index)));
  const [batch, latencies] = await Promise.all([runBatch(contender), sendRequests(contender)]);
  await contender.end();
  return { ...batch, ...summary(latencies) };
});

async function runBatch(
  contender: Contender,
): Promise<Pick<Incident, 'batchMillis' | 'failedReports'>> {
  const started = performance.now();
  const all = Array.from({ length: reports }, () => contender.report());
  const settled = await Promise.allSettled(all);
  const failedReports = settled.filter(({ status }) => status === 'rejected').length;
  return { batchMillis: performance.now() - started, failedReports };
}

/**
 * Open loop: requests come at their times however slow the answers are, and their latency counts
 * from then. undefined: not answered.
 */
async function sendRequests(contender: Contender): Promise<(number | undefined)[]> {
  const count = (requestsPerSecond * lengthMillis) / 1000;
  const started = performance.now();
  const all: Promise<number | undefined>[] = [];
  while (all.length < count) {
    const now = performance.now() - started;
    for (; all.length < count && dueAt(all.length) <= now;) {
      all.push(latencyOf(contender, all.length, started + dueAt(all.length)));
    }
    await new Promise((resolve) => setTimeout(resolve, tickMillis));
  }
  return Promise.all(all);
}

const dueAt = (index: number): number => (index * 1000) / requestsPerSecond;

async function latencyOf(
  contender: Contender,
  index: number,
  intended: number,
): Promise<number | undefined> {
  try {
    await contender.request(index);
    return performance.now() - intended;
  } catch {
    return undefined;
  }
}

function summary(latencies: readonly (number | undefined)[]) {
  const answered = latencies.filter((latency) => latency !== undefined);
  const inTime = answered.filter((latency) => latency <= secondMillis);
  return {
    answered: answered.length / latencies.length,
    withinSecond: inTime.length / latencies.length,
    p50: quantile(answered, 0.5),
    p99: quantile(answered, 0.99),
  };
}
