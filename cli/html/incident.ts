import type { Scenario, Workload } from '../../rehearsal/index.ts';
import { windowsOf } from '../../rehearsal/scenario.ts';
import { markup, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { clockTime, timeAxis } from '../time-axis.ts';
import { chosen, listed } from './words.ts';

/** What was played, for those who have never heard of a connection pool. */
export function incident(report: Report): Markup {
  const { rehearsal, scenario } = report;
  const loads = scenario.workloads.map((workload) => sentence(workload, scenario));
  const phases = timeAxis(report).phases.map(
    ({ name, fromMillis, toMillis }) =>
      `${name} from ${clockTime(fromMillis)} to ${clockTime(toMillis)}`,
  );
  return markup`<section aria-labelledby="played">
<h2 id="played">What was played</h2>
<p>${scenario.description}</p>
<p>A service talks to its database over ${rehearsal.max} connections. Whatever it does needs one of them for as long as it lasts; when all are taken, the next request waits in line. ${loads.join(' ')} The story has ${phases.length === 1 ? 'one phase' : `${phases.length} phases`}: ${listed(phases)}, in minutes and seconds.</p>
<p>It was played three times on a real server: with one pool of connections for everybody, as most services have it; with the same connections divided into partitions and without the ${scenario.disturbance}, to see an undisturbed day; and divided, with the ${scenario.disturbance}.</p>
</section>`;
}

function sentence(workload: Workload, scenario: Scenario): string {
  const { partition, holdMillis } = workload;
  if (workload.kind === 'arrivals') {
    return (
      `Every second ${workload.ratePerSecond} ${partition} requests come; each needs a connection for ` +
      `${chosen(holdMillis)}, and an answer after more than ${chosen(workload.answerWithinMillis)} counts for nothing.`
    );
  }
  const windows = windowsOf(scenario, partition).map(
    ({ fromMillis, toMillis }) => `from ${clockTime(fromMillis)} to ${clockTime(toMillis)}`,
  );
  return (
    `${workload.workers} ${partition} workers want a connection each ${listed(windows)}, and keep it for one ` +
    `report of ${chosen(holdMillis)} after the other; one that gets none comes back after ${chosen(workload.comeBackMillis)}.`
  );
}
