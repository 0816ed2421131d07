/** What a workload asks of the pool, for people: everything of the scenario that changes it. */
import type { ArrivalWorkload, Leak, Retry, Sql } from '../../rehearsal/index.ts';
import type { WorkerWorkload, Workload } from '../../rehearsal/index.ts';
import { disturbs, totalMillis, windowsOf } from '../../rehearsal/scenario.ts';
import { count, percent } from '../text.ts';
import { clockTime, type Told } from '../time-axis.ts';
import { chosen, listed } from './words.ts';

/** Sentences, without the name of the partition. */
export function loadWords(workload: Workload, told: Told): string {
  const { sql } = workload;
  return [
    ...(workload.kind === 'arrivals' ? arrivals(workload, told) : workers(workload, told)),
    ...(sql === undefined ? [] : [statements(sql)]),
    ...(disturbs(workload) ? ['This is what goes wrong.'] : []),
  ].join(' ');
}

function arrivals(workload: ArrivalWorkload, told: Told): string[] {
  const { ratePerSecond, pattern, answerWithinMillis, retry } = workload;
  const rate = `${count(ratePerSecond)} requests a second`;
  const come =
    pattern === 'poisson'
      ? `About ${rate} at random, as callers come who know nothing of each other,`
      : `${rate}, evenly spaced,`;
  return [
    `${come} ${when(workload, told)}.`,
    `Each needs a connection for ${length(workload, told)}, and an answer after more than ` +
      `${chosen(answerWithinMillis)} counts for nothing.`,
    ...(retry === undefined || retry.times === 0 ? [] : [again(retry)]),
  ];
}

function workers(workload: WorkerWorkload, told: Told): string[] {
  const { workers: many, comeBackMillis, leak, transaction } = workload;
  const work = `one ${transaction === true ? 'transaction' : 'report'} of ${length(workload, told)} after the other`;
  const keeps = leak === undefined && told.rehearsal.driver !== 'mongoose';
  return [
    `${count(many)} ${many === 1 ? 'worker' : 'workers'} ${when(workload, told)}.`,
    keeps
      ? `Each takes a connection, keeps it, and runs ${work} on it.`
      : `Each runs ${work}, and takes a connection anew for each.`,
    ...(leak === undefined ? [] : [forgotten(leak)]),
    `One that gets no connection comes back after ${chosen(comeBackMillis)}.`,
  ];
}

function when({ partition }: Workload, { scenario }: Told): string {
  const windows = windowsOf(scenario, partition);
  const whole = windows[0]?.fromMillis === 0 && windows[0].toMillis === totalMillis(scenario);
  if (whole) return 'all the time';
  return listed(
    windows.map(
      ({ fromMillis, toMillis }) => `from ${clockTime(fromMillis)} to ${clockTime(toMillis)}`,
    ),
  );
}

/** `100 ms (2 s in the phase slow plan)` */
function length({ partition, holdMillis }: Workload, { scenario: { phases } }: Told): string {
  const others = phases.flatMap(({ name, holdMillis: holds }) => {
    const millis = holds?.[partition];
    return millis === undefined ? [] : [`${chosen(millis)} in the phase ${name}`];
  });
  return others.length === 0 ? chosen(holdMillis) : `${chosen(holdMillis)} (${listed(others)})`;
}

function again({ afterMillis, times }: Retry): string {
  const pause = afterMillis === 0 ? 'at once' : `after ${chosen(afterMillis)}`;
  return `Who gets no connection comes again ${pause}, ${times === 1 ? 'once' : `up to ${times} times`}.`;
}

function forgotten({ share, afterReports }: Leak): string {
  const reports = afterReports === 1 ? 'each report' : `every ${afterReports} reports`;
  const after = share === undefined ? reports : `${percent(share)} of the reports, by chance,`;
  return `After ${after} it forgets to give the connection back: that stays taken until the run is over.`;
}

const statements = (sql: Sql): string =>
  `That is what is expected; it takes as long as its SQL does: ${[sql].flat().join('; ')}`;
