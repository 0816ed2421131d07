import { describeError, isRehearsalError } from '../rehearsal/errors.ts';
import { CannotWrite } from './cannot-write.ts';
import { compareCommand } from './compare-command.ts';
import { configCommand } from './config-command.ts';
import { initCommand } from './init-command.ts';
import { exitCodes } from './exit-codes.ts';
import { help } from './help.ts';
import { Interrupted } from './interrupts.ts';
import { parseArguments } from './options.ts';
import { print } from './print.ts';
import { rehearseCommand } from './rehearse-command.ts';
import { scenariosCommand } from './scenarios-command.ts';
import { Complaints, UsageError } from './usage-error.ts';
import { version } from './version.ts';

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
  const isSound = parsed.faults.length === 0;
  if (isSound && parsed.flags.has('help')) return tell(help);
  if (isSound && parsed.flags.has('version')) return tell(`${version()}\n`);
  if (parsed.command === 'rehearse') return rehearseCommand(parsed);
  if (parsed.command === 'scenarios') return scenariosCommand(parsed);
  if (parsed.command === 'config') return configCommand(parsed);
  if (parsed.command === 'compare') return compareCommand(parsed);
  if (parsed.command === 'init') return initCommand(parsed);
  new Complaints(parsed.faults).throwIfAny();
  return tell(help);
}

async function tell(text: string): Promise<number> {
  await print(text);
  return exitCodes.met;
}

/** One clear message on stderr and the exit code that belongs to it. */
function explain(error: unknown): number {
  if (error instanceof Interrupted) return error.exitCode;
  if (error instanceof CannotWrite) {
    say(error.message);
    return exitCodes.usage;
  }
  if (error instanceof UsageError) {
    say(error.message);
    if (error.ofCommandLine) process.stderr.write('(watertight --help lists the options)\n');
    return exitCodes.usage;
  }
  if (isOfOptions(error)) {
    say(error.message);
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

function isOfOptions(error: unknown): error is Error {
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
