/** What a rehearsal looks like on a terminal in the middle of a run. */
import type { PartitionProgress, Scenario, Tick } from '../rehearsal/index.ts';
import { ceilingOf } from './ceiling.ts';
import { fit, header, line, type Column } from './columns.ts';
import type { RehearseSettings } from './settings.ts';
import { bar, count, firstFitting, paint, type Look, type Style } from './text.ts';

export type Rehearsed = Pick<RehearseSettings, 'scenario' | 'max' | 'partitions'>;

const barCells = 6;

/** A head line, titles and a line for each partition; narrower than the terminal by one. */
export function liveView(tick: Tick, rehearsed: Rehearsed, look: Look): string[] {
  const rows = Object.entries(tick.partitions).map(([partition, progress]) => ({
    partition,
    progress,
    ceiling: ceilingOf(tick.run, partition, rehearsed),
    judged: hasDeadline(rehearsed.scenario, partition),
  }));
  const available = look.columns - 1;
  const fitted = fit(columns, rows, available);
  return [
    paint(look, 'cyan', headLine(tick, rehearsed.max, available)),
    paint(look, 'dim', header(fitted)),
    ...rows.map((row) => line(row, fitted, look)),
  ];
}

const hasDeadline = ({ workloads }: Scenario, name: string): boolean =>
  workloads.some(({ partition, kind }) => partition === name && kind === 'arrivals');

function headLine(tick: Tick, max: number, available: number): string {
  const { phase, elapsedMillis, totalMillis, connections } = tick;
  const left = Math.ceil((totalMillis - elapsedMillis) / 1_000);
  const when = left > 0 ? `${phase}, ${left} s left` : phase;
  const done = Math.min(1, elapsedMillis / totalMillis);
  const wordings = [
    `${bar(done, 16)} ${when}, ${connections} of ${max} connections`,
    `${bar(done, barCells)} ${when}, ${connections}/${max}`,
    when,
  ];
  return firstFitting(
    wordings.map((text) => `    ${text}`),
    available,
  );
}

interface Row {
  readonly partition: string;
  readonly progress: PartitionProgress;
  readonly ceiling: number;
  /** Whether its callers are promised an answer within some time. */
  readonly judged: boolean;
}

const redIfAny =
  (of: (progress: PartitionProgress) => number) =>
  ({ progress, judged }: Row): Style | undefined =>
    judged && of(progress) > 0 ? 'red' : undefined;

const figure = (
  title: string,
  expendable: number,
  of: (progress: PartitionProgress) => number,
  style?: Column<Row>['style'],
): Column<Row> => ({
  title,
  align: 'right',
  expendable,
  least: 5,
  cell: ({ progress }) => count(of(progress)),
  ...(style && { style }),
});

const late = ({ served, servedInTime }: PartitionProgress): number => served - servedInTime;
const refused = (progress: PartitionProgress): number => progress.refused;
const timedOut = (progress: PartitionProgress): number => progress.timedOut;
const failed = (progress: PartitionProgress): number => progress.failed;

const columns: readonly Column<Row>[] = [
  { title: '', align: 'left', expendable: 0, cell: ({ partition }) => `    ${partition}` },
  {
    title: '',
    align: 'left',
    expendable: 3,
    cell: ({ progress, ceiling }) => bar(share(progress.inUse, ceiling), barCells),
    style: ({ progress, ceiling }) => (progress.inUse < ceiling ? 'green' : 'yellow'),
  },
  {
    title: 'in use',
    align: 'right',
    expendable: 0,
    gap: 1,
    cell: ({ progress, ceiling }) => `${progress.inUse}/${ceiling}`,
  },
  figure('waiting', 0, ({ waiting }) => waiting),
  figure('in time', 0, ({ servedInTime }) => servedInTime),
  figure('late', 4, late, redIfAny(late)),
  figure('refused', 1, refused, redIfAny(refused)),
  figure('timed out', 2, timedOut, redIfAny(timedOut)),
  figure('failed', 5, failed, redIfAny(failed)),
];

const share = (inUse: number, ceiling: number): number => (ceiling === 0 ? 0 : inUse / ceiling);
