import { randomInt } from 'node:crypto';

/** One more than the highest seed. */
export const seeds: number = 2 ** 32;

export const randomSeed = (): number => randomInt(seeds);

/**
 * Numbers from 0 to 1 that are the same whenever the seed and the place are: mulberry32, by Tommy
 * Ettinger (public domain). Not for secrets.
 * @param place tells the streams of one seed apart: the workload's number, the worker's
 */
export function randomStream(seed: number, ...place: readonly number[]): () => number {
  let state = place.reduce((mixed, part) => Math.imul(mixed ^ (part + 1), 0x9e3779b1), seed) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), state | 1);
    word ^= word + Math.imul(word ^ (word >>> 7), word | 61);
    return ((word ^ (word >>> 14)) >>> 0) / seeds;
  };
}
