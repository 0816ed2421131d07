import { checkOperations } from './check.ts';
import { checkClaims } from './claims.ts';
import { Violation, type Invariant } from './invariants.ts';

// Runs in a process of its own, beside a copy of src/ that was changed: says what it breaks.
const SEED = 1;
const broken: { invariant: Invariant | undefined; message: string }[] = [];

const { failure } = await checkOperations({ runs: 300, longest: 800, seed: SEED, quick: true });
if (failure) broken.push(failure);
try {
  checkClaims(100, SEED);
} catch (error) {
  const cause = (error as Error).cause ?? error;
  const invariant = cause instanceof Violation ? cause.invariant : undefined;
  broken.push({ invariant, message: (error as Error).message });
}
process.stdout.write(JSON.stringify(broken));
