import { help, readArguments, UsageError } from './arguments.ts';
import { contention } from './contention/index.ts';
import { overhead } from './overhead/index.ts';
import { incident } from './incident/index.ts';
import { memory } from './memory/index.ts';
import { describeMachine, thisMachine } from './machine.ts';
import { writeReport, type Result, type Unfinished } from './result.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function run(argv: readonly string[]): Promise<number> {
  const settings = readArguments(argv);
  if (settings.help) return (say(help), 0);
  const machine = thisMachine();
  say(`${describeMachine(machine)}\n`);
  const results: Result[] = [];
  const unfinished: Unfinished[] = [];
  if (settings.parts.includes('overhead')) results.push(...(await overhead(settings, say)));
  if (settings.parts.includes('contention')) {
    const outcome = await contention(settings, say);
    results.push(...outcome.results);
    unfinished.push(...outcome.unfinished);
  }
  if (settings.parts.includes('memory')) results.push(...(await memory(settings, say)));
  if (settings.parts.includes('incident')) results.push(...(await incident(settings, say)));
  if (settings.json) writeReport(settings.json, { results, unfinished, machine });
  return 0;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`bench: ${error.message} (npm run bench -- --help lists the options)\n`);
  process.exitCode = 2;
}
