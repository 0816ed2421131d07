import { beforeAll, describe, expect, test } from '@jest/globals';
import { checkOperations, type Report } from './check.ts';
import { checkClaims } from './claims.ts';
import { INVARIANTS, type Invariant } from './invariants.ts';

/*
 * Random operations on random configurations under a clock turned by hand. After each operation an
 * observer that keeps its own books, from what callers were told, checks I1 to I10.
 *
 * A failure prints the operations that lead to it, as few as could be found, and a line such as
 * `WATERTIGHT_SEED=-105 WATERTIGHT_PATH=240`. Put that before `npx jest test/property/invariants`
 * to see the same failure again; without the path the whole run is repeated.
 */
const RUNS = 2200;
const LONGEST = 800;
const OPERATIONS = 1_000_000;
const LIMIT_MILLIS = 600_000;

const path = process.env['WATERTIGHT_PATH'];
const given = process.env['WATERTIGHT_SEED'];
const seed = given === undefined ? undefined : Number(given);

let report: Report;

beforeAll(async () => {
  report = await checkOperations({ runs: RUNS, longest: LONGEST, seed, path });
}, LIMIT_MILLIS);

describe('after every random operation', () => {
  test.each(Object.entries(INVARIANTS))('%s %s', (name) => {
    if (report.failure?.invariant === name) throw new Error(report.failure.message);
    if (path === undefined) expect(report.tally[name as Invariant]).toBeGreaterThan(0);
  });

  test(`nothing else goes wrong in ${OPERATIONS} operations`, () => {
    if (report.failure) throw new Error(report.failure.message);
    if (path === undefined) expect(report.performed).toBeGreaterThanOrEqual(OPERATIONS);
  });
});

test(
  'I7 a claim waits no longer than the largest bound left of the leases in its way',
  () => {
    expect(checkClaims(2000, path === undefined ? seed : undefined)).toBeGreaterThan(2000);
  },
  LIMIT_MILLIS,
);
