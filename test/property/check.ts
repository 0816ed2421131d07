import fc from 'fast-check';
import { emptyTally, Violation, type Invariant, type Tally } from './invariants.ts';
import { Performer } from './perform.ts';
import { operations, plans, type Plan } from './plan.ts';

export interface Failure {
  /** Undefined when the code threw something of its own. */
  readonly invariant: Invariant | undefined;
  readonly message: string;
}

export interface Report {
  readonly performed: number;
  readonly tally: Tally;
  readonly failure: Failure | undefined;
}

export interface Wanted {
  /** Random sequences. */
  readonly runs: number;
  /** Operations of the longest of them. */
  readonly longest: number;
  /** Reproduces a failure; fast-check prints both. */
  readonly seed?: number | undefined;
  readonly path?: string | undefined;
  /** Does not look for a shorter way to a failure. */
  readonly quick?: boolean;
}

/** Performs random operations on random configurations and checks I1 to I10 after each. */
export async function checkOperations({
  runs,
  longest,
  seed,
  path,
  quick,
}: Wanted): Promise<Report> {
  const tally = emptyTally();
  let performed = 0;
  const property = fc.asyncProperty(plans, operations(longest), async (plan, seeds) => {
    const performer = await perform(plan, seeds);
    performed += performer.performed;
    for (const [name, count] of Object.entries(performer.world.model.tally)) {
      tally[name as Invariant] += count;
    }
  });
  // Half of the calls end in an error whose stack nobody reads.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  // fast-check would shrink for minutes what a plain removal of operations shortens in seconds.
  const details = await fc.check(property, {
    numRuns: path === undefined ? runs : 1,
    endOnFailure: true,
    ...(seed === undefined ? {} : { seed }),
    ...(path === undefined ? {} : { path }),
  });
  Error.stackTraceLimit = stackTraceLimit;
  const failure = details.failed ? await describe(details, quick) : undefined;
  return { performed, tally, failure };
}

async function perform(plan: Plan, seeds: readonly number[], log?: string[]): Promise<Performer> {
  const performer = new Performer(plan, log);
  for (const seed of seeds) await performer.step(seed);
  await performer.end(seeds.length);
  return performer;
}

/** What goes wrong with these operations, if anything does. */
async function failureOf(plan: Plan, seeds: readonly number[], log?: string[]): Promise<unknown> {
  try {
    await perform(plan, seeds, log);
    return undefined;
  } catch (error) {
    return error;
  }
}

const invariantOf = (error: unknown): Invariant | undefined =>
  error instanceof Violation ? error.invariant : undefined;

/** Leaves out operations, many at a time and then few, as long as the same goes wrong. */
async function shorten(plan: Plan, seeds: readonly number[], error: unknown): Promise<number[]> {
  let shortest = [...seeds];
  for (let size = seeds.length; size > 0; size >>= 1) {
    for (let start = 0; start < shortest.length;) {
      const shorter = shortest.toSpliced(start, size);
      const other = await failureOf(plan, shorter);
      if (other && invariantOf(other) === invariantOf(error)) shortest = shorter;
      else start += size;
    }
  }
  return shortest;
}

async function describe(details: fc.RunDetails<[Plan, number[]]>, quick = false): Promise<Failure> {
  const { seed, counterexamplePath, counterexample, errorInstance } = details;
  const [plan, seeds] = counterexample as [Plan, number[]];
  const log: string[] = [];
  const shortest = quick ? seeds : await shorten(plan, seeds, errorInstance);
  const error = await failureOf(plan, shortest, log);
  const what = error instanceof Violation ? error.message : String((error as Error).stack);
  const again = `again: WATERTIGHT_SEED=${seed} WATERTIGHT_PATH=${counterexamplePath}`;
  return {
    invariant: invariantOf(error),
    message: [what, JSON.stringify(plan), ...log, again].join('\n  '),
  };
}
