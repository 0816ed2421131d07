/**
 * The course of the runs for a terminal: below each other on one time axis, a row for each partition.
 * A row shows the share that was answered in time or, where no time is promised, of connections held.
 */
import type { Rehearsal, RunResult } from '../rehearsal/index.ts';
import { ceilingOf } from './ceiling.ts';
import { collapseOf, type Collapse } from './collapse.ts';
import { runTitle } from './reporter.ts';
import { clip, firstFitting, paint, type Look, type Style } from './text.ts';
import { clockTime, timeAxis, type TimeAxis, type Told } from './time-axis.ts';
import { phaseLines, timeLine } from './timeline-axis.ts';
import { stretchesOf, type Stretch } from './timeline-columns.ts';

/** Undefined when nothing was recorded, or the terminal has no room for it. */
export function timelinePicture(told: Told, look: Look): string | undefined {
  const { rehearsal } = told;
  const moments = rehearsal.runs.map(recorded);
  if (Math.min(...moments) < 2) return undefined;
  const intervals = Math.max(...moments) - 1;
  const rows = rehearsal.runs.map((run) => rowsOf(run, rehearsal, look));
  const name = Math.max(...rows.flat().map((row) => row.name.length));
  const what = Math.max(...rows.flat().map((row) => row.what.length));
  const head = 2 + name + 2 + what + 2;
  const columns = Math.min(intervals, look.columns - head);
  if (columns < leastColumns) return undefined;
  const axis = timeAxis(told);
  const beside = (line: string): string => paint(look, 'dim', ' '.repeat(head) + line);
  const line = (row: Row): string =>
    `  ${row.name.padEnd(name)}  ${row.what.padEnd(what)}  ` +
    painted(cellsOf(row, intervals, columns), look);
  const blocks = rehearsal.runs.flatMap((run, index) => [
    titleLine(run, rehearsal, axis, look),
    ...(rows[index] ?? []).map(line),
  ]);
  return [
    legend(look),
    ...phaseLines(axis, columns).map(beside),
    ...blocks,
    beside(timeLine(axis, columns)),
  ].join('\n');
}

const leastColumns = 16;
/** Below it words are short, to leave more to the picture. */
const roomyColumns = 60;
const mostOfName = 16;

/** Documents of early versions have no timeline. */
const recorded = ({ timeline }: Partial<RunResult>): number => timeline?.connections.length ?? 0;

function legend(look: Look): string {
  const levels = '█ all, ▄ half, ▁ none, · no request';
  return paint(look, 'dim', firstFitting([`Over time: ${levels}`, levels], look.columns));
}

function titleLine(run: RunResult, rehearsal: Rehearsal, axis: TimeAxis, look: Look): string {
  const name = `${run.name}: `;
  const title = runTitle(run.name, rehearsal.disturbance);
  const collapse = collapseOf(run, axis);
  const line =
    collapse === undefined
      ? clip(name + title, look.columns)
      : firstFitting(collapsed(name, title, collapse), look.columns);
  return paint(look, 'bold', line);
}

function collapsed(name: string, title: string, { fromMillis, toMillis }: Collapse): string[] {
  const until = toMillis === undefined ? 'on' : `to ${clockTime(toMillis)}`;
  const when = `from ${clockTime(fromMillis)} ${until}`;
  const fewer = `fewer than half in time ${when}`;
  return [`${name}${title}, ${fewer}`, `${name}${fewer}`, `${name}starved ${when}`];
}

interface Row {
  readonly name: string;
  readonly what: string;
  readonly run: RunResult;
  readonly partition: string;
  readonly cellOf: (stretch: Stretch) => Cell;
}

function rowsOf(run: RunResult, rehearsal: Rehearsal, { columns }: Look): Row[] {
  const most = Math.min(mostOfName, Math.floor(columns / 4));
  const roomy = columns >= roomyColumns;
  return Object.entries(run.partitions).map(([partition, { answerWithinMillis }]) => {
    const ceiling = ceilingOf(run.name, partition, rehearsal);
    const judged = answerWithinMillis !== undefined;
    const inTime = roomy ? 'answered in time' : 'in time';
    const held = roomy ? `held, of ${ceiling}` : `held/${ceiling}`;
    return {
      name: clip(partition, most),
      what: judged ? inTime : held,
      run,
      partition,
      cellOf: judged ? inTimeCell : heldCell(ceiling),
    };
  });
}

interface Cell {
  readonly text: string;
  readonly style: Style | undefined;
}

function cellsOf({ run, partition, cellOf }: Row, intervals: number, columns: number): Cell[] {
  const timeline = run.timeline.partitions[partition];
  if (timeline === undefined) return [];
  return stretchesOf(timeline, intervals, columns).map(cellOf);
}

const blocks = '▁▂▃▄▅▆▇█';
const nothing: Cell = { text: '·', style: 'dim' };

/** Something is never shown as nothing, nor almost all as all. */
function inTimeCell({ settled, inTime, waiting }: Stretch): Cell {
  // When nobody was told anything, those who wait decide: nobody waits, nobody starves.
  if (settled === 0) return waiting > 0 ? { text: '▁', style: 'red' } : nothing;
  const share = inTime / settled;
  if (inTime === settled) return { text: '█', style: 'green' };
  if (inTime === 0) return { text: '▁', style: 'red' };
  const height = Math.min(7, Math.max(2, Math.round(share * 8)));
  return { text: blocks.charAt(height - 1), style: share < 0.5 ? 'red' : 'yellow' };
}

const heldCell =
  (ceiling: number) =>
  ({ settled, waiting, inUse }: Stretch): Cell => {
    if (inUse === 0 && waiting === 0 && settled === 0) return nothing;
    const height = ceiling === 0 ? 1 : Math.min(8, Math.max(1, Math.round((inUse / ceiling) * 8)));
    return { text: blocks.charAt(height - 1), style: undefined };
  };

/** Neighbours of one style together: a terminal gets one change for them all. */
function painted(cells: readonly Cell[], look: Look): string {
  let text = '';
  for (let from = 0, to = 0; from < cells.length; from = to) {
    const style = cells[from]?.style;
    while (to < cells.length && cells[to]?.style === style) to++;
    const part = cells.slice(from, to).map((cell) => cell.text);
    text += style === undefined ? part.join('') : paint(look, style, part.join(''));
  }
  return text;
}
