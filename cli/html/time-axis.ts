import { totalMillis } from '../../rehearsal/scenario.ts';
import type { Report } from './report.ts';

/** The one axis that all pictures share, in the time of the story. */
export interface TimeAxis {
  /** From one recorded moment to the next. */
  readonly everyMillis: number;
  readonly phases: readonly AxisPhase[];
  /** The end of the last phase: no request comes any more. */
  readonly endMillis: number;
  /** When the last request of the longest run was settled. */
  readonly toMillis: number;
}

export interface AxisPhase {
  readonly name: string;
  readonly fromMillis: number;
  readonly toMillis: number;
}

export function timeAxis({ rehearsal, scenario }: Report): TimeAxis {
  const timelines = rehearsal.runs.map(({ timeline }) => timeline);
  const everyMillis = (timelines[0]?.everyMillis ?? 0) / rehearsal.timeScale;
  const moments = Math.max(0, ...timelines.map(({ connections }) => connections.length));
  const endMillis = totalMillis(scenario);
  return {
    everyMillis,
    phases: phasesOf(scenario.phases),
    endMillis,
    toMillis: Math.max(endMillis, (moments - 1) * everyMillis),
  };
}

function phasesOf(phases: Report['scenario']['phases']): AxisPhase[] {
  let at = 0;
  return phases.map(({ name, durationMillis }) => {
    const fromMillis = at;
    at += durationMillis;
    return { name, fromMillis, toMillis: at };
  });
}

/** The phase at a moment; undefined after the last one. */
export const phaseOn = ({ phases }: TimeAxis, millis: number): AxisPhase | undefined =>
  phases.find(({ fromMillis, toMillis }) => fromMillis <= millis && millis < toMillis);

/** `2:05`: minutes and seconds of the story. */
export function clockTime(millis: number): string {
  const seconds = Math.round(millis / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
