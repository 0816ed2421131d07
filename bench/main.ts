import { help, readArguments, UsageError, type Part, type Settings } from './arguments.ts';
import { contention } from './contention/index.ts';
import type { Measured } from './contention/rounds.ts';
import { incident } from './incident/index.ts';
import { describeMachine, thisMachine } from './machine.ts';
import { memory } from './memory/index.ts';
import { overhead } from './overhead/index.ts';
import { fillPage } from './pages.ts';
import { drawPictures } from './pictures/index.ts';
import { writeReport, type Result, type Unfinished } from './result.ts';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

async function measure(settings: Settings): Promise<void> {
  const machine = thisMachine();
  say(`${describeMachine(machine)}\n`);
  const results: Result[] = [];
  const unfinished: Unfinished[] = [];
  const measured: Measured[] = [];
  const others = { overhead, memory, incident };
  const tables = new Map<Part, string>();
  for (const part of settings.parts) {
    const command = `$ npm run bench -- ${part}${settings.quick ? ' --quick' : ''}`;
    tables.set(part, `${command}\n${describeMachine(machine)}\n`);
    const tell = (text: string): void => {
      say(text);
      tables.set(part, `${tables.get(part) ?? ''}\n${text}`);
    };
    if (part === 'contention') {
      const outcome = await contention(settings, tell);
      measured.push(...outcome.measured);
      results.push(...outcome.results);
      unfinished.push(...outcome.unfinished);
    } else results.push(...(await others[part](settings, tell)));
  }
  if (settings.json) writeReport(settings.json, { results, unfinished, machine });
  if (settings.page) fillPage(settings.page, tables);
  if (settings.svg) drawPictures(settings.svg, { measured, results, machine });
}

try {
  const settings = readArguments(process.argv.slice(2));
  if (settings.help) say(help);
  else await measure(settings);
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`bench: ${error.message} (npm run bench -- --help lists the options)\n`);
  process.exitCode = 2;
}
