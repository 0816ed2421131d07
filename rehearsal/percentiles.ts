/** Of measured milliseconds. All 0 when nothing was measured. */
export interface Percentiles {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Nearest rank over every single measurement: no buckets, no interpolation, so that each figure
 * is one that really occurred.
 */
export function percentiles(measured: Iterable<number>): Percentiles {
  const sorted = Float64Array.from(measured).toSorted();
  return {
    p50: atRank(sorted, 0.5),
    p95: atRank(sorted, 0.95),
    p99: atRank(sorted, 0.99),
    max: atRank(sorted, 1),
  };
}

function atRank(sorted: Float64Array, share: number): number {
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
  return Math.round(value * 100) / 100;
}
