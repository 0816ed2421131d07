import type { RehearsedPartition } from '../../rehearsal/index.ts';
import { DEFAULT_ACQUIRE_TIMEOUT_MILLIS, DEFAULT_MAX_WAITING } from '../../src/config.ts';
import { count } from '../text.ts';
import { clockTime, timeAxis } from '../time-axis.ts';
import { loadWords } from './load-words.ts';
import { markup, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { chosen, listed } from './words.ts';

/** What was played, for those who have never heard of a connection pool. */
export function incident(report: Report): Markup {
  const { rehearsal, scenario } = report;
  const phases = timeAxis(report).phases.map(
    ({ name, fromMillis, toMillis }) =>
      `${name} from ${clockTime(fromMillis)} to ${clockTime(toMillis)}`,
  );
  return markup`<section aria-labelledby="played">
<h2 id="played">What was played</h2>
<p>${scenario.description}</p>
<p>A service talks to its database over ${rehearsal.max} connections. Whatever it does needs one of them for as long as it lasts; when all are taken, the next request waits in line. The story has ${phases.length === 1 ? 'one phase' : `${phases.length} phases`}, in minutes and seconds: ${listed(phases)}. This is the load:</p>
<ul>
${scenario.workloads.map((workload) => markup`<li><strong>${workload.partition}</strong>: ${loadWords(workload, report)}</li>\n`)}</ul>
<p>It was played three times on a real server: with one pool of connections for everybody, as most services have it, where a request waits up to ${chosen(scenario.sharedAcquireTimeoutMillis)} for a connection; with the same connections divided into partitions and without the ${scenario.disturbance}, to see an undisturbed day; and divided, with the ${scenario.disturbance}. With partitions a request waits for a connection of its own partition: ${waits(report)}.</p>
</section>`;
}

function waits({ partitions, rehearsal: { timeScale } }: Report): string {
  const wait = ({ acquireTimeoutMillis, maxWaiting }: RehearsedPartition): string => {
    // The default of the pool is one of the machine.
    const millis = acquireTimeoutMillis ?? DEFAULT_ACQUIRE_TIMEOUT_MILLIS / timeScale;
    return millis === 0
      ? 'not at all'
      : `up to ${chosen(millis)} in a line of ${lineOf(maxWaiting)}`;
  };
  return listed(
    Object.entries(partitions).map(([name, partition]) => `${name} ${wait(partition)}`),
  );
}

const lineOf = (maxWaiting = DEFAULT_MAX_WAITING): string =>
  maxWaiting === Infinity ? 'any length' : `at most ${count(maxWaiting)}`;
