import type { Rehearsal, RunResult } from '../../rehearsal/index.ts';
import { explainScale } from '../final-report.ts';
import { runTitle } from '../reporter.ts';
import { count } from '../text.ts';
import { cell } from './cell.ts';
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
  const table = markup`<table class="cards">
<caption>How late requests were sent, in milliseconds of the machine, and what the server counted</caption>
<thead><tr><th scope="col">Run</th>${columns.map(({ title }) => markup`<th scope="col">${title}</th>`)}</tr></thead>
<tbody>
${runs.map((run) => row(run, rehearsal))}</tbody></table>`;
  return markup`<section aria-labelledby="method">
<h2 id="method">How it was measured</h2>
<dl>
${facts.map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>\n`)}</dl>
<p>All times are those of the story; ${explainScale(timeScale)}. Requests were sent at their times however slow the answers were, and every answer is timed from the moment at which its request should have been sent. Every run opened all its connections before the first request. All the while the server was asked, over a connection of its own, how many connections of the run it counted. A run in which the machine sent more than 1\u00A0% of the requests later than wanted was played again, at most three times in all; the attempt with the least delay counts. When even that was later than the last bound, the run is void, and the rehearsal proves nothing.</p>
${scrollable('How exactly it was measured', table)}
</section>`;
}

interface Column {
  readonly title: string;
  readonly of: (run: RunResult, max: number) => string;
}

const millis =
  (of: (run: RunResult) => number) =>
  (run: RunResult): string =>
    of(run).toFixed(1);

const columns: readonly Column[] = [
  { title: 'half within', of: millis(({ arrivalLagMillis: { p50 } }) => p50) },
  { title: '95 % within', of: millis(({ arrivalLagMillis: { p95 } }) => p95) },
  { title: '99 % within', of: millis(({ arrivalLagMillis: { p99 } }) => p99) },
  { title: 'wanted within', of: millis(({ lagBoundMillis }) => lagBoundMillis) },
  { title: 'void above', of: millis(({ voidBoundMillis }) => voidBoundMillis) },
  { title: 'longest', of: millis(({ arrivalLagMillis: { max } }) => max) },
  { title: 'kept its schedule', of: kept },
  { title: 'played', of: ({ attempts }) => (attempts === 1 ? 'once' : `${attempts} times`) },
  {
    title: 'server counted',
    of: ({ serverPeak }, max) => `at most ${count(serverPeak)} of ${count(max)}`,
  },
];

const row = (run: RunResult, { max, disturbance }: Rehearsal): Markup =>
  markup`<tr><th scope="row">${capitalized(runTitle(run.name, disturbance))}</th>${columns.map(({ title, of }) => cell(title, of(run, max)))}</tr>\n`;

function kept({ keptSchedule, void: isVoid }: RunResult): string {
  if (isVoid) return '✗ no: void';
  return keptSchedule ? '✓ yes' : '✗ no';
}

const readable = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
