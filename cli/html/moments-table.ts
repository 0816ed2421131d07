import type { PartitionTimeline, RunResult } from '../../rehearsal/index.ts';
import { runTitle } from '../reporter.ts';
import { count } from '../text.ts';
import { markup, type Content, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { scrollable } from './scrollable.ts';
import { clockTime, phaseOn, timeAxis, type TimeAxis } from '../time-axis.ts';

/** The pictures in figures, folded away. */
export function momentsTable(run: RunResult, report: Report): Markup {
  const axis = timeAxis(report);
  const heading = runTitle(run.name, report.rehearsal.disturbance);
  const names = Object.keys(run.timeline.partitions);
  const table = markup`<table class="moments">
<caption>Held and in line at the moment; answered in time, answered late and sent away since the row before. Where it is cut off it scrolls sideways.</caption>
<thead>
<tr>
<th scope="col" rowspan="2">Time</th><th scope="col" rowspan="2" class="word">Phase</th><th scope="col" rowspan="2">Server counts</th>
${names.map((name) => markup`<th scope="colgroup" colspan="${columns.length}" class="first">${name}</th>`)}
</tr>
<tr>${names.map(() => columns.map(({ title }, index) => markup`<th scope="col"${border(index)}>${title}</th>`))}</tr>
</thead>
<tbody>
${stretches(run).map((stretch) => row(run, stretch, axis))}</tbody>
</table>`;
  return markup`<details><summary>These pictures in figures</summary>
${scrollable(`${heading}, over time`, table)}
</details>
`;
}

/** What happened after one moment, up to another. */
interface Stretch {
  readonly after: number;
  readonly moment: number;
}

const momentsInRow = 10;

/** The last one is shorter. */
function stretches({ timeline: { connections } }: RunResult): Stretch[] {
  const last = connections.length - 1;
  return Array.from({ length: Math.ceil(last / momentsInRow) + 1 }, (_, index) => ({
    after: (index - 1) * momentsInRow,
    moment: Math.min(index * momentsInRow, last),
  }));
}

function row({ timeline }: RunResult, stretch: Stretch, axis: TimeAxis): Markup {
  const { moment } = stretch;
  const millis = moment * axis.everyMillis;
  const cells = Object.values(timeline.partitions).map((partition) =>
    columns.map(
      ({ of }, index) => markup`<td${border(index)}>${count(of(partition, stretch))}</td>`,
    ),
  );
  return markup`<tr><th scope="row">${clockTime(millis)}</th><td class="word">${phaseOn(axis, millis)?.name ?? ''}</td><td>${timeline.connections[moment] ?? 0}</td>${cells}</tr>
`;
}

/** A partition's columns are set off from those before. */
const border = (index: number): Content => (index === 0 ? markup` class="first"` : '');

interface Column {
  readonly title: string;
  readonly of: (partition: PartitionTimeline, stretch: Stretch) => number;
}

const sum = (values: readonly number[], { after, moment }: Stretch): number =>
  values.slice(Math.max(0, after + 1), moment + 1).reduce((total, value) => total + value, 0);

const columns: readonly Column[] = [
  { title: 'held', of: ({ inUse }, { moment }) => inUse[moment] ?? 0 },
  { title: 'in line', of: ({ waiting }, { moment }) => waiting[moment] ?? 0 },
  { title: 'in time', of: ({ servedInTime }, stretch) => sum(servedInTime, stretch) },
  { title: 'late', of: ({ late }, stretch) => sum(late, stretch) },
  {
    title: 'sent away',
    of: ({ refused, timedOut, failed }, stretch) =>
      sum(refused, stretch) + sum(timedOut, stretch) + sum(failed, stretch),
  },
];
