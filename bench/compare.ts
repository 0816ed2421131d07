/**
 * Is this tree slower than the commit before? Both are built, and their contention is measured side
 * by side in one run. Ends with 1 only after the same row was clearly slower twice.
 */
import { rmSync } from 'node:fs';
import { buildCommit, isSame, nameOf, type Built } from './compare/build.ts';
import { regressions, type Row } from './compare/regressions.ts';
import { measureRows, runs } from './compare/rows.ts';
import { describeMachine, thisMachine } from './machine.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function compare(commit: string): Promise<number> {
  say(describeMachine(thisMachine()));
  const name = nameOf(commit);
  if (!name) return pass(`there is no ${commit} here, as in a shallow clone`);
  if (isSame(name)) return pass(`the library is that of ${name}`);
  const before = buildCommit(name);
  if (!before) return pass(`${name} cannot be built with the tools of this tree`);
  try {
    if (!(await runs(before))) return pass(`${name} does not run`);
    return await judge(name, before);
  } finally {
    rmSync(before.folder, { recursive: true, force: true });
  }
}

function pass(reason: string): number {
  say(`nothing to compare: ${reason}`);
  return 0;
}

async function judge(name: string, before: Built): Promise<number> {
  say(`this tree against ${name}, CPU time:`);
  const rows = await measureRows(before);
  for (const row of rows) say(describe(row));
  const slower = regressions(rows);
  if (slower.length === 0) return 0;
  say('slower; measured once more:');
  const again = await measureRows(before, slower);
  for (const row of again) say(describe(row));
  const twice = regressions(again);
  for (const { task, n } of twice) say(`REGRESSION: ${task}, ${n}`);
  return twice.length === 0 ? 0 : 1;
}

const describe = ({ task, n, measured: { ratio, spread } }: Row): string =>
  `  ${task.padEnd(34)} ${String(n).padStart(6)}  ${ratio.toFixed(2)} ` +
  `(${spread.map((value) => value.toFixed(2)).join('–')})`;

process.exitCode = await compare(process.argv[2] ?? 'HEAD~1');
