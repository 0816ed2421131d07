import { scenarios, type Retry, type Scenario, type Workload } from '../rehearsal/index.ts';
import { totalMillis } from '../rehearsal/scenario.ts';
import { findScenario } from './choose-scenario.ts';
import { exitCodes } from './exit-codes.ts';
import type { Arguments } from './options.ts';
import { print } from './print.ts';
import { lookOf, paint, percent, wrap, type Look } from './text.ts';
import { Complaints } from './usage-error.ts';

/** Explains the scenarios that are shipped; with a name, writes that one as a file to begin with. */
export async function scenariosCommand({ operands, faults }: Arguments): Promise<number> {
  const [argument] = operands;
  const complaints = new Complaints(faults);
  const named = argument === undefined ? undefined : findScenario(argument, complaints.commandLine);
  complaints.throwIfAny();
  await print(named ? asFile(named) : explainedAll());
  return exitCodes.met;
}

function explainedAll(): string {
  const look = lookOf(process.stdout, process.env);
  return scenarios.map((scenario) => explained(scenario, look)).join('\n');
}

const asFile = (scenario: Scenario): string =>
  `${JSON.stringify({ $schema: schema, ...scenario }, null, 2)}\n`;

const schema = './node_modules/watertight/schema/watertight.scenario.schema.json';

const indent = '  ';

/** Exported for its tests: never wider than the look, but for a single word. */
export function explained(scenario: Scenario, look: Look): string {
  const { name, description, max, partitions, workloads } = scenario;
  const sizes = workloads.map(({ partition }) => `${partition} ${partitions[partition]?.size}`);
  const width = Math.max(...workloads.map(({ partition }) => partition.length));
  const lines = [
    description,
    phases(scenario),
    `pool of ${max}: ${sizes.join(', ')}`,
    ...workloads.map(
      (workload) => `${workload.partition.padEnd(width)}  ${load(workload, scenario)}`,
    ),
  ];
  const indented = lines.map((line) => wrap(indent + line, look.columns));
  return [paint(look, 'bold', name), ...indented, ''].join('\n');
}

function phases(scenario: Scenario): string {
  const each = scenario.phases.map(({ name, durationMillis }) => `${name} ${time(durationMillis)}`);
  return `${time(totalMillis(scenario))}: ${each.join(', ')}`;
}

function load(workload: Workload, scenario: Scenario): string {
  const hold = [time(workload.holdMillis), ...otherHolds(workload, scenario)].join(', ');
  if (workload.kind === 'arrivals') {
    const { ratePerSecond, pattern, retry, answerWithinMillis } = workload;
    return [
      `${ratePerSecond}/s of ${hold}`,
      ...(pattern === 'poisson' ? ['at random'] : []),
      `due within ${time(answerWithinMillis)}`,
      ...(retry ? [`retried ${when(retry)}, ${retry.times} times`] : []),
    ].join(', ');
  }
  const { workers, leak, transaction } = workload;
  return [
    `${workers} workers, ${transaction ? 'transactions' : 'reports'} of ${hold}`,
    ...(leak?.share === undefined ? [] : [`${percent(leak.share)} never given back`]),
    ...(leak?.afterReports === undefined ? [] : [`1 in ${leak.afterReports} never given back`]),
  ].join(', ');
}

const otherHolds = ({ partition }: Workload, { phases: all }: Scenario): string[] =>
  all.flatMap(({ name, holdMillis }) => {
    const millis = holdMillis?.[partition];
    return millis === undefined ? [] : [`in ${name} of ${time(millis)}`];
  });

const when = ({ afterMillis }: Retry): string =>
  afterMillis === 0 ? 'at once' : `after ${time(afterMillis)}`;

const time = (millis: number): string =>
  millis < 1_000 ? `${millis} ms` : `${Number((millis / 1_000).toFixed(1))} s`;
