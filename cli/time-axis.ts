import type { Rehearsal, Scenario } from '../rehearsal/index.ts';
import { totalMillis } from '../rehearsal/scenario.ts';

/** A rehearsal, and the scenario as it is told, not as it was scaled. */
export interface Told {
  readonly rehearsal: Rehearsal;
  readonly scenario: Scenario;
}

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

export function timeAxis({ rehearsal, scenario }: Told): TimeAxis {
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

function phasesOf(phases: Scenario['phases']): AxisPhase[] {
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

const roundSeconds = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600];

/** Round times from 0 on, with at most so many steps between them. */
export function timeTicks(toMillis: number, steps = 6): number[] {
  const seconds = roundSeconds.find((each) => toMillis / (each * 1_000) <= steps) ?? 7_200;
  const step = seconds * 1_000;
  return Array.from({ length: Math.floor(toMillis / step) + 1 }, (_, index) => index * step);
}
