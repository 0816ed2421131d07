import { faultLines } from '../config/fault-lines.ts';
import { locateMembers, repeatedRule, type Located } from '../config/locate.ts';
import { NotJson, parseJson } from '../config/parse-json.ts';
import { readText } from '../config/read-text.ts';
import { Faults, isPlainObject } from '../src/config.ts';
import type { Fault } from '../src/errors.ts';
import type { Given } from './fields.ts';
import { readScenario } from './read-scenario.ts';
import { disturbs, type Scenario } from './scenario.ts';

export interface ScenarioFile {
  /** Undefined when there are faults. */
  readonly scenario: Scenario | undefined;
  /** One line each, with file and line: what must be changed. */
  readonly faults: readonly string[];
  /** As the faults: what can be played, and will most likely not come out well. */
  readonly warnings: readonly string[];
}

/** Reads a scenario from a JSON file; every fault at once. */
export function readScenarioFile(file: string): ScenarioFile {
  let text: string;
  let given: unknown;
  try {
    text = readText(file);
    given = parseJson(text);
  } catch (error) {
    const line = error instanceof NotJson ? error.line : undefined;
    return faulty([`${at(file, line)}: ${(error as Error).message}`]);
  }
  if (!isPlainObject(given)) return faulty([`${file}: expected an object with a scenario`]);
  return check(given, file, locateMembers(text));
}

function check(given: Given, file: string, { lines, repeated }: Located): ScenarioFile {
  const faults = new Faults();
  for (const each of repeated) faults.add(each.path, repeatedRule(each));
  const scenario = readScenario(given, faults);
  const placed = (all: readonly Fault[]): string[] =>
    faultLines(
      all.map(({ path, ...fault }) => ({
        path: `${file}:${lineOf(path, lines)}: ${path}`,
        ...fault,
      })),
    );
  if (faults.list.length > 0) return faulty(placed(faults.list));
  return { scenario, faults: [], warnings: placed(tooSmall(scenario)) };
}

const faulty = (faults: readonly string[]): ScenarioFile => ({
  scenario: undefined,
  faults,
  warnings: [],
});

const at = (file: string, line: number | undefined): string =>
  line === undefined ? file : `${file}:${line}`;

/** Of what is not there, the line of what it should stand in. */
function lineOf(path: string, lines: ReadonlyMap<string, number>): number {
  const line = lines.get(path);
  if (line !== undefined) return line;
  return path.includes('.') ? lineOf(path.slice(0, path.lastIndexOf('.')), lines) : 1;
}

/** By Little's law: a load holds, on average, its rate times its hold. */
function tooSmall({ workloads, partitions }: Scenario): Fault[] {
  return workloads.flatMap((workload, index) => {
    if (workload.kind === 'workers' || disturbs(workload)) return [];
    const { partition, ratePerSecond, holdMillis } = workload;
    const needed = (ratePerSecond * holdMillis) / 1_000;
    const { size = 0 } = partitions[partition] ?? {};
    if (needed <= size) return [];
    const rule =
      `${ratePerSecond}/s x ${holdMillis} ms need ${Number(needed.toFixed(1))} connections, ` +
      `the size of '${partition}' is ${size}`;
    return [{ path: `workloads.${index}`, rule }];
  });
}
