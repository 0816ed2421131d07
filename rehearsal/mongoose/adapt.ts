import { optionError } from '../option-error.ts';
import type { Scenario, Workload } from '../scenario.ts';

/**
 * A worker with a session keeps its connection from report to report. Here each report goes to the
 * end of the line, and it takes more of them side by side to hold as many connections: 50 for 15.
 */
const reportsForSession = 10 / 3;

/** @throws `ERR_REHEARSAL_OPTION` with everything that an operation cannot do */
export function adapt(scenario: Scenario): Scenario {
  const faults = scenario.workloads.flatMap(faultsOf);
  if (faults.length > 0) throw optionError([`${scenario.name}: ${faults.join('; ')}`]);
  return {
    ...scenario,
    workloads: scenario.workloads.map((workload) =>
      workload.kind === 'workers'
        ? { ...workload, workers: Math.ceil(workload.workers * reportsForSession) }
        : workload,
    ),
  };
}

function faultsOf(workload: Workload): string[] {
  const unplayable = (['leak', 'transaction', 'sql'] as const).filter(
    (field) => Reflect.get(workload, field) !== undefined,
  );
  if (unplayable.length === 0) return [];
  return [
    `${workload.partition} has ${unplayable.join(', ')}, which mongoose cannot play: ` +
      'there a connection is held by one operation, not by a session',
  ];
}
