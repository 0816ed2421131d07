import { parseArgs } from 'node:util';
import { nearest } from '../src/nearest.ts';
import { redactUrl } from '../rehearsal/redact.ts';
import { UsageError } from './usage-error.ts';

export type Command = 'rehearse' | 'scenarios' | 'config' | 'compare' | 'init';

export type OptionName =
  | 'url'
  | 'driver'
  | 'json'
  | 'junit'
  | 'html'
  | 'max'
  | 'partitions'
  | 'time-scale'
  | 'without-walls'
  | 'seed'
  | 'config'
  | 'service'
  | 'file'
  | 'check'
  | 'write'
  | 'help'
  | 'version';

interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  /** The commands that have it; all when not said. */
  readonly of?: readonly Command[];
}

const rehearse: readonly Command[] = ['rehearse'];
const config: readonly Command[] = ['config'];
const services: readonly Command[] = ['rehearse', 'config'];

const options: Readonly<Record<OptionName, Option>> = {
  url: { type: 'string', of: rehearse },
  driver: { type: 'string', of: rehearse },
  json: { type: 'string', of: rehearse },
  junit: { type: 'string', of: rehearse },
  html: { type: 'string', of: rehearse },
  max: { type: 'string', of: rehearse },
  partitions: { type: 'string', of: rehearse },
  'time-scale': { type: 'string', of: rehearse },
  'without-walls': { type: 'boolean', of: rehearse },
  seed: { type: 'string', of: rehearse },
  config: { type: 'boolean', of: rehearse },
  service: { type: 'string', of: services },
  file: { type: 'string', of: services },
  check: { type: 'boolean', of: config },
  write: { type: 'boolean', of: ['init'] },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
};

export interface Arguments {
  /** Undefined when none was given. */
  readonly command: Command | undefined;
  /** The words after the command: as many as it takes. */
  readonly operands: readonly string[];
  readonly flags: ReadonlySet<OptionName>;
  readonly values: ReadonlyMap<OptionName, string>;
}

export const commands: readonly Command[] = ['rehearse', 'scenarios', 'config', 'compare', 'init'];

interface Operands {
  readonly names: readonly string[];
  readonly required: boolean;
}

/** The words that a command takes besides its options. */
const operandsOf: Readonly<Record<Command, Operands>> = {
  rehearse: { names: ['SCENARIO'], required: false },
  scenarios: { names: ['SCENARIO'], required: false },
  config: { names: [], required: false },
  compare: { names: ['BEFORE.json', 'AFTER.json'], required: true },
  init: { names: ['FOLDER'], required: false },
};

/** @throws UsageError with every fault of the command line. */
export function parseArguments(argv: readonly string[]): Arguments {
  // Not strict: node's own messages are about node:util, and it stops at the first fault.
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const faults: string[] = [];
  const positionals: string[] = [];
  const flags = new Set<OptionName>();
  const values = new Map<OptionName, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value);
    if (token.kind !== 'option') continue;
    const fault = optionFault(token, flags);
    if (fault !== undefined) faults.push(fault);
    if (!isOption(token.name)) continue;
    flags.add(token.name);
    if (token.value !== undefined) values.set(token.name, token.value);
  }
  const command = commands.find((one) => one === positionals[0]);
  // After a faulty option nobody knows which words were meant as its value.
  if (faults.length === 0 && !flags.has('help')) faults.push(...positionalFaults(positionals));
  if (command) faults.push(...strangers(command, flags));
  if (faults.length > 0) throw new UsageError([...new Set(faults)]);
  return { command, operands: positionals.slice(1), flags, values };
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function optionFault(token: OptionToken, seen: ReadonlySet<OptionName>): string | undefined {
  const { name, rawName, value = '', inlineValue } = token;
  if (!isOption(name)) return unknownOption(rawName);
  if (seen.has(name)) return `${rawName} is given twice`;
  if (options[name].type === 'boolean') {
    return token.value === undefined ? undefined : `${rawName} takes no value`;
  }
  const missing = value === '' || (inlineValue !== true && value.startsWith('--'));
  return missing ? `${rawName} needs a value` : undefined;
}

const isOption = (name: string): name is OptionName => Object.hasOwn(options, name);

function unknownOption(rawName: string): string {
  const word = rawName.replace(/^-+/, '');
  const near = word.length > 1 ? nearest(word, Object.keys(options)) : undefined;
  return `unknown option ${rawName}${near === undefined ? '' : `; did you mean --${near}?`}`;
}

/** Options of other commands. */
function strangers(command: Command, given: ReadonlySet<OptionName>): string[] {
  return [...given].flatMap((name) => {
    const { of = commands } = options[name];
    return of.includes(command)
      ? []
      : [`--${name} is an option of ${of.join(', ')}, not of ${command}`];
  });
}

function positionalFaults([command, ...rest]: readonly string[]): string[] {
  if (command === undefined) return [];
  const known = commands.find((one) => one === command);
  if (known === undefined) {
    const near = nearest(command, commands) ?? commands[0];
    return [`unknown command '${redactUrl(command)}'; did you mean ${near}?`];
  }
  const { names, required } = operandsOf[known];
  if (required && rest.length < names.length) {
    return [`expected: watertight ${known} ${names.join(' ')}`];
  }
  return rest.slice(names.length).map((argument) => `unexpected argument '${redactUrl(argument)}'`);
}
