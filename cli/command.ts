import { describeError, isRehearsalError } from '../rehearsal/errors.ts';
import { compareCommand } from './compare-command.ts';
import { configCommand } from './config-command.ts';
import { initCommand } from './init-command.ts';
import { exitCodes } from './exit-codes.ts';
import { help } from './help.ts';
import { Interrupted } from './interrupts.ts';
import { commands, parseArguments } from './options.ts';
import { rehearseCommand } from './rehearse-command.ts';
import { scenariosCommand } from './scenarios-command.ts';
import { readSettings } from './settings.ts';
import { UsageError } from './usage-error.ts';
import { version } from './version.ts';
import { CannotWrite } from './write-file.ts';

/** The whole command; resolves to its exit code and never rejects. */
export async function run(argv: readonly string[]): Promise<number> {
  surviveClosedPipes();
  try {
    return await dispatch(argv);
  } catch (error) {
    return explain(error);
  }
}

async function dispatch(argv: readonly string[]): Promise<number> {
  const parsed = parseArguments(argv);
  if (parsed.flags.has('help')) return print(help);
  if (parsed.flags.has('version')) return print(`${version()}\n`);
  if (parsed.command === 'rehearse') return rehearseCommand(readSettings(parsed));
  if (parsed.command === 'scenarios') return scenariosCommand(parsed);
  if (parsed.command === 'config') return configCommand(parsed);
  if (parsed.command === 'compare') return compareCommand(parsed);
  if (parsed.command === 'init') return initCommand(parsed);
  throw new UsageError([`no command given; there are ${commands.join(', ')}`]);
}

function print(text: string): number {
  process.stdout.write(text);
  return exitCodes.met;
}

/** One clear message on stderr and the exit code that belongs to it. */
function explain(error: unknown): number {
  if (error instanceof Interrupted) return error.exitCode;
  if (error instanceof CannotWrite) {
    say(error.message);
    return exitCodes.usage;
  }
  if (isUsage(error)) {
    say(`${error.message}\n(watertight --help lists the options)`);
    return exitCodes.usage;
  }
  if (isRehearsalError(error)) {
    say(error.message);
    return exitCodes.cannotConnect;
  }
  say(`this should not have happened: ${describeError(error)}`);
  if (process.env['WATERTIGHT_DEBUG'] !== undefined) console.error(error);
  return exitCodes.internal;
}

function isUsage(error: unknown): error is Error {
  if (error instanceof UsageError) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ERR_CONFIG' || error.code === 'ERR_REHEARSAL_OPTION';
}

function say(message: string): void {
  const text = message.startsWith('watertight: ') ? message : `watertight: ${message}`;
  process.stderr.write(`${text}\n`);
}

/** `watertight rehearse | head` closes the pipe early; the rehearsal still has to clean up behind it. */
function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}
