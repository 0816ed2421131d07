import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monthEnd, type Scenario } from '../../rehearsal/index.ts';

/** Of the story, for calm, month end and recovery. */
export type Seconds = readonly [number, number, number];

/** A shorter month end, as a file in the folder. */
export function writeMonthEnd(folder: string, seconds: Seconds): string {
  const phases = monthEnd.phases.map((phase, index) => ({
    ...phase,
    durationMillis: (seconds[index] ?? 0) * 1_000,
  }));
  const scenario: Scenario = { ...monthEnd, name: 'short-month-end', phases };
  const file = join(folder, 'short-month-end.json');
  writeFileSync(file, JSON.stringify(scenario));
  return file;
}
