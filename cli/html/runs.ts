import type { RunName, RunResult } from '../../rehearsal/index.ts';
import { runTitle } from '../reporter.ts';
import { collapseWords } from './collapse-words.ts';
import { markup, type Markup } from './markup.ts';
import { momentsTable } from './moments-table.ts';
import { legend } from './patterns.ts';
import { pictures } from './pictures.ts';
import type { Report } from './report.ts';
import { clockTime, timeAxis } from '../time-axis.ts';
import { capitalized } from './words.ts';

/** The three runs beside each other. */
export function runs(report: Report): Markup {
  const { rehearsal, scenario } = report;
  const names = scenario.workloads.map(({ partition }) => partition);
  return markup`<section aria-labelledby="runs">
<h2 id="runs">The three runs</h2>
<p>The same moments stand at the same place in all three. After ${clockTime(timeAxis(report).endMillis)} no request comes any more; those in line are still answered, or give up.</p>
${legend(names, rehearsal.max)}
<div class="runs">
${rehearsal.runs.map((run) => article(run, report))}</div>
</section>`;
}

function article(run: RunResult, report: Report): Markup {
  const axis = timeAxis(report);
  return markup`<article aria-labelledby="run-${run.name}">
<h3 id="run-${run.name}">${capitalized(runTitle(run.name, report.rehearsal.disturbance))}</h3>
<p class="about">${about(run.name, report)}</p>
<p class="finding">${collapseWords(run, axis, report.rehearsal)}</p>
${pictures(run, report)}${momentsTable(run, report)}</article>
`;
}

function about(name: RunName, { rehearsal: { max }, partitions }: Report): string {
  if (name === 'shared') return `Everybody takes from the same ${max} connections.`;
  const shares = Object.entries(partitions).map(([partition, { size, max: most = size }]) =>
    most === size ? `${partition} ${size}` : `${partition} ${size} to ${most}`,
  );
  return `The same ${max} connections, divided: ${shares.join(', ')}.${spare(max, partitions)}${manners(name, partitions)}`;
}

/** So that nobody wonders about sizes that do not add up to all connections. */
function spare(max: number, partitions: Report['partitions']): string {
  const all = Object.values(partitions);
  const reserved = all.reduce((sum, { size }) => sum + size, 0);
  if (reserved === max) return '';
  const mayGrow = all.some(({ size, max: most = size }) => most > size);
  const others = reserved === 0 ? 'All' : `The other ${max - reserved}`;
  return mayGrow
    ? ` ${others} are reserved for nobody: a partition that may have more takes them while they are free.`
    : ` ${others} belong to no partition, and stay closed.`;
}

/** What is new to those who only know one pool; not true of partitions that may grow. */
function manners(name: RunName, partitions: Report['partitions']): string {
  const fixed = Object.values(partitions).every(({ size, max = size }) => max === size);
  if (name === 'baseline' || !fixed) return '';
  return ' Who finds the share of a partition taken is told so, and takes nothing from the others.';
}
