import { asyncSema, cockatiel, limit, queue, shopifySemaphore } from './limiters.ts';
import { minimal } from './minimal.ts';
import { generic, lightning, mysql2, pgPool, tarn } from './pools.ts';
import type { Subject } from './subject.ts';
import { watertightFrom } from './watertight.ts';

export const ourLibrary: string = new URL('../../src/index.js', import.meta.url).href;

export const peers: readonly Subject[] = [
  ...[asyncSema, mysql2, cockatiel, shopifySemaphore, limit, queue],
  ...[generic, lightning, pgPool, tarn],
];

/** The limit and ours are neighbours: what disturbs the one disturbs the other. */
export const subjects = (library: string = ourLibrary): readonly Subject[] => [
  minimal,
  watertightFrom(library),
  ...peers,
];
