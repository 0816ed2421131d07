import type { PartitionTimeline, RunResult } from '../../rehearsal/index.ts';
import { runTitle } from '../reporter.ts';
import { count } from '../text.ts';
import { bandsOf, highestOf, type Band } from './bands.ts';
import { chart, type ChartOptions } from './chart.ts';
import { collapseOf } from '../collapse.ts';
import { markup, type Content, type Markup } from './markup.ts';
import type { Report } from './report.ts';
import { timeAxis, type TimeAxis } from '../time-axis.ts';
import { listed } from './words.ts';

/** The pictures of one run, on the same scales as those of the others. */
export function pictures(run: RunResult, report: Report): Markup[] {
  const { rehearsal, scenario } = report;
  const { max } = rehearsal;
  const axis = timeAxis(report);
  const common = { axis, mark: collapseOf(run, axis)?.fromMillis };
  const scaled = (quantity: Quantity): Pick<ChartOptions, 'bands' | 'highest'> => ({
    bands: bandsOf(run, scenario, quantity),
    highest: Math.ceil(
      Math.max(1, ...rehearsal.runs.map((each) => highestOf(bandsOf(each, scenario, quantity)))),
    ),
  });
  const held = bandsOf(run, scenario, ({ inUse }) => inUse);
  const titled = { name: run.name, title: runTitle(run.name, rehearsal.disturbance) };
  const inLine = scaled(({ waiting }) => waiting);
  return [
    figure(titled, 'Connections held', `at most ${peaks(held)}, of ${max} in all`, {
      ...common,
      id: 'held',
      bands: held,
      highest: Math.max(max, highestOf(held)),
      height: 150,
      limit: max,
      named: true,
    }),
    figure(titled, 'Requests in line', `at most ${peaks(inLine.bands)}`, {
      ...common,
      ...inLine,
      id: 'in-line',
      height: 80,
    }),
    figure(titled, 'Sent away without an answer, per second', `in all ${sentAway(run, held)}`, {
      ...common,
      ...scaled(lostPerSecond(axis)),
      id: 'sent-away',
      height: 60,
    }),
  ];
}

type Quantity = (partition: PartitionTimeline) => readonly number[];

/** Refused, timed out or failed. */
function lostPerSecond({ everyMillis }: TimeAxis): Quantity {
  const perSecond = 1_000 / everyMillis;
  return ({ refused, timedOut, failed }) =>
    refused.map((value, k) => (value + (timedOut[k] ?? 0) + (failed[k] ?? 0)) * perSecond);
}

/** `batch 15, order 9 and search 11`: the most of each. */
const peaks = (bands: readonly Band[]): string =>
  listed(bands.map(({ name, values }) => `${name} ${count(Math.max(0, ...values))}`));

function sentAway({ partitions }: RunResult, bands: readonly Band[]): string {
  const lost = bands.map(({ name }) => {
    const { offered = 0, served = 0 } = partitions[name] ?? {};
    return `${name} ${count(offered - served)}`;
  });
  return listed(lost);
}

function figure(
  run: { readonly name: string; readonly title: string },
  caption: string,
  figures: string,
  options: Omit<ChartOptions, 'title'>,
): Markup {
  const id = `${options.id}-${run.name}`;
  const title = `${caption} over time, ${run.title}: ${figures}`;
  return markup`<figure>
<figcaption><strong>${caption}</strong>: ${figures}</figcaption>
${chart({ ...options, id, title })}
${closeUp({ ...options, id, title })}</figure>
`;
}

/** What is lower than this many pixels beside the highest of the three runs cannot be read. */
const leastPixels = 12;

/** The same once more, on a scale of its own, and said to be so. */
function closeUp({ id, title, ...options }: ChartOptions): Content {
  const { bands, highest, height } = options;
  const peak = Math.ceil(highestOf(bands));
  if (peak === 0 || (peak / highest) * height >= leastPixels) return '';
  const words = `Close-up: only up to ${count(peak)}, where the picture above ends at ${count(highest)}`;
  return markup`<p class="close-up">${words}</p>
${chart({ ...options, id: `close-up-${id}`, title: `${words}. ${title}`, highest: peak })}
`;
}
