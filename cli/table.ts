/**
 * The table at the end: a block for each run, a line for each partition. Durations are shown in the
 * time of the scenario, so that they can be read as the story is told: "waited 60 s".
 */
import type { PartitionResult, Rehearsal, RunName, RunResult } from '../rehearsal/index.ts';
import { fit, header, line, type Column } from './columns.ts';
import { bar, clip, count, duration, firstFitting, paint, percent } from './text.ts';
import type { Look, Style } from './text.ts';

const barCells = 6;

interface Row {
  readonly partition: string;
  readonly result: PartitionResult;
  readonly scale: number;
}

/** Undefined without a deadline: then a share says nothing about good or bad. */
const shareInTime = ({ result }: Row): number | undefined => {
  if (result.answerWithinMillis === undefined || result.offered === 0) return undefined;
  return result.servedInTime / result.offered;
};

const goodOrBad = (row: Row): Style | undefined => {
  const share = shareInTime(row);
  if (share === undefined) return undefined;
  return share >= 0.999 ? 'green' : 'red';
};

const redIfAny =
  (of: (result: PartitionResult) => number) =>
  (row: Row): Style | undefined =>
    row.result.answerWithinMillis !== undefined && of(row.result) > 0 ? 'red' : undefined;

const latency = (row: Row, of: 'p50' | 'p99'): string =>
  row.result.served === 0 ? '-' : duration(row.result.latencyMillis[of] / row.scale);

const drawn = (share: number | undefined): string =>
  share === undefined ? ' '.repeat(barCells) : bar(share, barCells);
const shown = (share: number | undefined): string => (share === undefined ? '-' : percent(share));

const columns: readonly Column<Row>[] = [
  { title: '', align: 'left', expendable: 0, cell: (row) => `  ${row.partition}` },
  {
    title: '',
    align: 'left',
    expendable: 5,
    cell: (row) => drawn(shareInTime(row)),
    style: goodOrBad,
  },
  {
    title: 'in time',
    align: 'right',
    expendable: 0,
    gap: 1,
    cell: (row) => shown(shareInTime(row)),
    style: goodOrBad,
  },
  {
    title: 'offered',
    align: 'right',
    expendable: 3,
    cell: ({ result }) => `${result.servedInTime}/${result.offered}`,
  },
  {
    title: 'refused',
    align: 'right',
    expendable: 1,
    cell: ({ result }) => count(result.refused),
    style: redIfAny(({ refused }) => refused),
  },
  {
    title: 'timed out',
    align: 'right',
    expendable: 0,
    cell: ({ result }) => count(result.timedOut),
    style: redIfAny(({ timedOut }) => timedOut),
  },
  {
    title: 'failed',
    align: 'right',
    expendable: 2,
    cell: ({ result }) => count(result.failed),
    style: redIfAny(({ failed }) => failed),
  },
  { title: 'p50', align: 'right', expendable: 4, cell: (row) => latency(row, 'p50') },
  { title: 'p99', align: 'right', expendable: 0, cell: (row) => latency(row, 'p99') },
];

const titles: Readonly<Record<RunName, (disturbance: string) => string>> = {
  shared: () => 'shared: one pool for everybody',
  baseline: (disturbance) => `baseline: partitions, no ${disturbance}`,
  partitioned: (disturbance) => `partitioned: partitions and ${disturbance}`,
};

export function table(rehearsal: Rehearsal, look: Look): string {
  const rows = rehearsal.runs.map((run) => rowsOf(run, rehearsal));
  const fitting = fit(columns, rows.flat(), look.columns);
  const lines = [paint(look, 'dim', header(fitting))];
  for (const [index, run] of rehearsal.runs.entries()) {
    lines.push(blockTitle(run, rehearsal, look));
    for (const row of rows[index] ?? []) lines.push(line(row, fitting, look));
  }
  return lines.map((text) => text.trimEnd()).join('\n');
}

function rowsOf(run: RunResult, { timeScale }: Rehearsal): Row[] {
  return Object.entries(run.partitions).map(([partition, result]) => ({
    partition,
    result,
    scale: timeScale,
  }));
}

function blockTitle(run: RunResult, { max, disturbance }: Rehearsal, look: Look): string {
  const width = Math.min(look.columns, 80);
  const title = clip(titles[run.name](disturbance), width);
  const counted = `${run.serverPeak} of ${max} connections`;
  const room = width - title.length - 2;
  const peak = firstFitting([`the server counted ${counted}`, counted, ''], room);
  if (peak === '') return paint(look, 'bold', title);
  const style = run.serverPeak > max ? 'red' : 'dim';
  return paint(look, 'bold', title) + paint(look, style, peak.padStart(width - title.length));
}
