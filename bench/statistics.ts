/** First and third quartile. */
export type Spread = readonly [number, number];

export interface Ratio {
  /** Median of the ratios of the rounds. */
  readonly ratio: number;
  readonly spread: Spread;
  readonly rounds: number;
}

/** met, missed: the whole spread is on one side of the limit. */
export type Verdict = 'met' | 'missed' | 'undecided';

/** Spreads wider than this part of their median say nothing about a difference of some per cent. */
export const WIDEST_SPREAD = 0.35;

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** With linear interpolation; NaN of nothing. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * part;
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** Compares what was measured side by side: the n-th with the n-th; what is missing in one is left out. */
export function ratioOf(
  subject: readonly (number | undefined)[],
  against: readonly (number | undefined)[],
): Ratio | undefined {
  const ratios = subject.flatMap((value, round) => {
    const base = against[round];
    return value === undefined || base === undefined || !(base > 0) ? [] : [value / base];
  });
  if (ratios.length === 0) return undefined;
  const spread: Spread = [quantile(ratios, 0.25), quantile(ratios, 0.75)];
  return { ratio: median(ratios), spread, rounds: ratios.length };
}

/** True when the rounds differ too much for any conclusion. */
export const tooNoisy = ({ ratio, spread: [low, high], rounds }: Ratio): boolean =>
  rounds < 2 || high - low > WIDEST_SPREAD * ratio;

export function judge(measured: Ratio, limit: number): Verdict {
  const [low, high] = measured.spread;
  if (measured.rounds < 2) return 'undecided';
  if (high <= limit) return 'met';
  if (low > limit) return 'missed';
  return 'undecided';
}

/** A ratio, or why there is none; a goal that no round met is missed for all the noise. */
export function explain(measured: Ratio, goal: number | undefined): string {
  const { ratio, spread } = measured;
  const range = spread.map((value) => value.toFixed(2)).join('–');
  const verdict = goal === undefined ? 'undecided' : judge(measured, goal);
  if (!tooNoisy(measured)) {
    return `${ratio.toFixed(2)} (${range})${goal === undefined ? '' : `, goal ${goal}: ${words[verdict]}`}`;
  }
  if (verdict === 'undecided') return `too noisy to say: spread ${range}`;
  return `spread ${range}, goal ${goal}: ${words[verdict]}`;
}

const words = { met: 'met', missed: 'missed', undecided: 'too close to say' } as const;
