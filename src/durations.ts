/** Milliseconds, since the partition was made. 0 while nothing was recorded. */
export interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** Buckets per power of two: a bucket is at most 1/32 wide, so its middle is 1.6 % exact. */
const STEPS_LOG2 = 5;
const STEPS = 1 << STEPS_LOG2;
const HOUR_MILLIS = 3_600_000;
const HOUR_MICROS = HOUR_MILLIS * 1000;
const BUCKETS = bucketOf(HOUR_MICROS) + 1;

/**
 * A histogram of durations from a microsecond to an hour. Our own, since it is fed at every acquire
 * and release: Node's `createHistogram` takes 19 ns a value, a fifth of an acquire and its release.
 */
export class Durations {
  /** Made when first needed; not 32-bit integers, which a busy service overflows in days. */
  #counts: Float64Array | undefined = undefined;
  #max = 0;

  record(millis: number): void {
    const counts = (this.#counts ??= new Float64Array(BUCKETS));
    const micros = toMicros(millis);
    const bucket = bucketOf(micros);
    counts[bucket] = (counts[bucket] as number) + 1;
    if (micros > this.#max) this.#max = micros;
  }

  /** @param zeros so many more durations of no length, which were not worth recording each */
  snapshot(zeros: number = 0): Percentiles {
    const counts = this.#counts ?? new Float64Array(1);
    const count = counts.reduce((total, some) => total + some, zeros);
    const at = (share: number): number => this.#at(Math.ceil(count * share) - zeros, counts);
    const max = this.#max / 1000;
    return Object.freeze({ count, p50: at(0.5), p95: at(0.95), p99: at(0.99), max });
  }

  /** The duration of this rank: the middle of its bucket, at most the longest recorded. */
  #at(rank: number, counts: Float64Array): number {
    let before = 0;
    for (const [bucket, some] of counts.entries()) {
      before += some;
      if (before >= rank) return Math.min(this.#max, middleOf(bucket)) / 1000;
    }
    return this.#max / 1000;
  }
}

/** `>>> 0` is the cheapest way to an integer; the bounds keep it one of 32 bits. */
function toMicros(millis: number): number {
  if (!(millis > 0)) return 0;
  return millis < HOUR_MILLIS ? (millis * 1000 + 0.5) >>> 0 : HOUR_MICROS;
}

/** Linear below `STEPS`; above, `STEPS` equal buckets between one power of two and the next. */
function bucketOf(micros: number): number {
  if (micros < STEPS) return micros;
  const power = 31 - Math.clz32(micros);
  const shift = power - STEPS_LOG2;
  return ((shift + 1) << STEPS_LOG2) + ((micros >>> shift) & (STEPS - 1));
}

function middleOf(bucket: number): number {
  if (bucket < STEPS) return bucket;
  const shift = (bucket >> STEPS_LOG2) - 1;
  const start = (STEPS + (bucket & (STEPS - 1))) * 2 ** shift;
  return start + (2 ** shift - 1) / 2;
}
