import type { PartitionResult, Rehearsal, RunResult } from '../../rehearsal/index.ts';
import { runTitle } from '../reporter.ts';
import { count, duration, percent } from '../text.ts';
import { cell } from './cell.ts';
import { markup, type Content, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { scrollable } from './scrollable.ts';
import { capitalized } from './words.ts';

/** What became of the requests, and how long those took that were answered. */
export function figures({ rehearsal }: Report): Markup {
  const table = markup`<table class="cards">
<caption>Requests of each run and partition, and the time from their arrival to their answer, as it is in the story</caption>
<thead><tr><th scope="col">Partition</th>${columns.map(({ title }) => markup`<th scope="col">${title}</th>`)}</tr></thead>
${rehearsal.runs.map((run) => body(run, rehearsal))}</table>`;
  return markup`<section aria-labelledby="figures">
<h2 id="figures">What became of the requests</h2>
<p>Refused: told at once that there is no connection. Timed out: waited for one in vain. A dash: there is no deadline, or nothing was answered.</p>
${scrollable('Requests and times', table)}
${failures(rehearsal)}</section>`;
}

interface Row {
  readonly result: PartitionResult;
  readonly scale: number;
}

interface Column {
  readonly title: string;
  readonly of: (row: Row) => string;
}

const latency =
  (of: 'p50' | 'p95' | 'p99' | 'max') =>
  ({ result: { served, latencyMillis }, scale }: Row): string =>
    served === 0 ? '–' : duration(latencyMillis[of] / scale);

const counted =
  (of: (result: PartitionResult) => number) =>
  ({ result }: Row): string =>
    count(of(result));

const shareInTime = ({ result: { answerWithinMillis, servedInTime, offered } }: Row): string =>
  answerWithinMillis === undefined || offered === 0 ? '–' : percent(servedInTime / offered);

const columns: readonly Column[] = [
  { title: 'in time', of: shareInTime },
  { title: 'came', of: counted(({ offered }) => offered) },
  { title: 'answered in time', of: counted(({ servedInTime }) => servedInTime) },
  { title: 'answered late', of: counted(({ served, servedInTime }) => served - servedInTime) },
  { title: 'refused', of: counted(({ refused }) => refused) },
  { title: 'timed out', of: counted(({ timedOut }) => timedOut) },
  { title: 'failed', of: counted(({ failed }) => failed) },
  { title: 'half within', of: latency('p50') },
  { title: '95 % within', of: latency('p95') },
  { title: '99 % within', of: latency('p99') },
  { title: 'longest', of: latency('max') },
];

const body = (
  { name, partitions }: RunResult,
  { timeScale: scale, disturbance }: Rehearsal,
): Markup => markup`<tbody>
<tr class="group"><th scope="rowgroup" colspan="${columns.length + 1}">${capitalized(runTitle(name, disturbance))}</th></tr>
${Object.entries(partitions).map(
  ([partition, result]) =>
    markup`<tr><th scope="row">${partition}</th>${columns.map(({ title, of }) => cell(title, of({ result, scale })))}</tr>\n`,
)}</tbody>
`;

/** What the first one that failed was told. */
function failures({ runs, disturbance }: Rehearsal): Content {
  const told = runs.flatMap(({ name, partitions }) =>
    Object.entries(partitions).flatMap(([partition, { firstFailure }]) =>
      firstFailure === undefined
        ? []
        : [markup`<li>${partition}, ${runTitle(name, disturbance)}: <q>${firstFailure}</q></li>\n`],
    ),
  );
  return told.length === 0
    ? ''
    : markup`<p>What the first request was told that failed:</p>
<ul>
${told}</ul>
`;
}
