import { monthEnd, readScenarioFile, scenarios, type Scenario } from '../rehearsal/index.ts';
import { redactUrl } from '../rehearsal/redact.ts';
import { nearest } from '../src/nearest.ts';
import type { Complaints } from './usage-error.ts';

export interface Chosen {
  readonly scenario: Scenario;
  readonly warnings: readonly string[];
}

/** The default comes back with the faults, so that those of the options can be told with them. */
export function chooseScenario(argument: string | undefined, complaints: Complaints): Chosen {
  if (argument === undefined) return { scenario: monthEnd, warnings: [] };
  if (/\.json$/i.test(argument)) {
    const { scenario = monthEnd, ...file } = readScenarioFile(argument);
    complaints.files.push(...file.faults);
    return { scenario, warnings: file.warnings };
  }
  return { scenario: findScenario(argument, complaints.commandLine) ?? monthEnd, warnings: [] };
}

export function findScenario(wanted: string, faults: string[]): Scenario | undefined {
  const found = scenarios.find(({ name }) => name === wanted);
  if (found === undefined) faults.push(unknownScenario(wanted));
  return found;
}

function unknownScenario(wanted: string): string {
  const names = scenarios.map(({ name }) => name);
  const near = nearest(wanted, names);
  const hint = near
    ? `did you mean ${near}?`
    : `there are ${names.join(', ')}, or name a .json file`;
  return `there is no scenario '${redactUrl(wanted)}'; ${hint}`;
}
