import type { Rehearsal, RunResult } from '../../rehearsal/index.ts';
import { busyNote } from '../../rehearsal/wording.ts';
import { explainScale } from '../final-report.ts';
import { runTitle } from '../reporter.ts';
import { count } from '../text.ts';
import { markup, type Content, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { scrollable } from './scrollable.ts';
import { capitalized } from './words.ts';

/** How it was measured: what somebody needs who doubts it, or wants to do it again. */
export function method({ rehearsal, version, date }: Report): Markup {
  const { server, driver, timeScale, scenario, seed, max, runs } = rehearsal;
  const facts: readonly (readonly [string, Content])[] = [
    ['Scenario', scenario],
    ['Server', server],
    ['Driver', driver],
    ['Connections', max],
    ['Time scale', timeScale],
    ...(seed === undefined ? [] : [['Seed', seed] as const]),
    ['Date', markup`<time datetime="${date.toISOString()}">${readable(date)}</time>`],
    ['watertight', version],
  ];
  const table = markup`<table>
<caption>How late requests were sent, in milliseconds of the machine, and what the server counted</caption>
<thead><tr><th scope="col">Run</th>${columns.map((title) => markup`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${runs.map((run) => row(run, rehearsal))}</tbody></table>`;
  const busy = busyNote(rehearsal);
  return markup`<section aria-labelledby="method">
<h2 id="method">How it was measured</h2>
<dl>
${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<p>All times are those of the story; ${explainScale(timeScale)}. Requests were sent at their times however slow the answers were, and every answer is timed from the moment at which its request should have been sent. Every run opened all its connections before the first request. All the while the server was asked, over a connection of its own, how many connections of the run it counted. A run in which the machine sent 99 % of the requests later than wanted was played again, at most three times in all; the attempt with the least delay counts. When even that was later than the last bound, the run is void, and the rehearsal proves nothing.</p>
${busy === undefined ? '' : markup`<p class="care">${busy}</p>\n`}${scrollable('How exactly it was measured', table)}
</section>`;
}

const columns = [
  'half within',
  '95 % within',
  '99 % within',
  'wanted within',
  'void above',
  'longest',
  'kept its schedule',
  'played',
  'server counted',
];

function row(
  { name, arrivalLagMillis, attempts, serverPeak, ...run }: RunResult,
  { max, disturbance }: Rehearsal,
): Markup {
  const { p50, p95, p99, max: longest } = arrivalLagMillis;
  const { lagBoundMillis, voidBoundMillis } = run;
  const lags = [p50, p95, p99, lagBoundMillis, voidBoundMillis, longest].map(
    (lag) => markup`<td>${lag.toFixed(1)}</td>`,
  );
  return markup`<tr><th scope="row">${capitalized(runTitle(name, disturbance))}</th>${lags}<td>${kept(run)}</td><td>${attempts === 1 ? 'once' : `${attempts} times`}</td><td>at most ${count(serverPeak)} of ${count(max)}</td></tr>
`;
}

function kept({ keptSchedule, void: isVoid }: Pick<RunResult, 'keptSchedule' | 'void'>): string {
  if (isVoid) return '✗ no: void';
  return keptSchedule ? '✓ yes' : '✗ no';
}

const readable = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
