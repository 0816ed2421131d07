import { parseArgs } from 'node:util';
import { nearest } from '../src/nearest.ts';
import { redactUrl } from '../rehearsal/redact.ts';

export type Command = 'rehearse' | 'scenarios' | 'config' | 'compare' | 'init' | 'help';

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
  /** Every fault that shows without looking at the values. */
  readonly faults: readonly string[];
}

export const commands: readonly Command[] = [
  'rehearse',
  'scenarios',
  'config',
  'compare',
  'init',
  'help',
];

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
  help: { names: ['COMMAND'], required: false },
};

export function parseArguments(argv: readonly string[]): Arguments {
  const faults: string[] = [];
  const words: string[] = [];
  const flags = new Set<OptionName>();
  const values = new Map<OptionName, string>();
  let isDoubtful = false;
  for (const token of tokensOf(argv)) {
    if (token.kind === 'positional') {
      // After an unknown option nobody knows whether a word was meant as its value.
      if (!isDoubtful || isCommand(token.value)) words.push(token.value);
      isDoubtful = false;
    }
    if (token.kind !== 'option') continue;
    const fault = optionFault(token, flags, argv);
    if (fault !== undefined) faults.push(fault);
    isDoubtful = !isOption(token.name) && token.value === undefined;
    if (!isOption(token.name)) continue;
    flags.add(token.name);
    if (token.value) values.set(token.name, token.value);
  }
  const command = commands.find((one) => one === words[0]);
  if (!flags.has('help') && !flags.has('version'))
    faults.push(...wordFaults(words, faults.length > 0));
  if (command) faults.push(...strangers(command, flags));
  return { command, operands: words.slice(1), flags, values, faults: [...new Set(faults)] };
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/** An option in place of a value, as in `--json --max 3`, is taken for an option. */
function tokensOf(argv: readonly string[]): readonly Token[] {
  // Not strict: node's own messages are about node:util, and it stops at the first fault.
  const { tokens } = parseArgs({
    args: [...argv],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const bare = tokens.find(
    (token) => token.kind === 'option' && token.inlineValue === false && isOptionLike(token.value),
  );
  if (bare?.kind !== 'option') return tokens;
  return tokensOf(argv.with(bare.index, `${bare.rawName}=`));
}

const isOptionLike = (value: string): boolean => /^-[-a-z]/i.test(value);

const isCommand = (word: string): boolean => commands.some((one) => one === word);

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  /** Of its word; the letters of `-max` are of one. */
  readonly index: number;
  readonly value?: string | undefined;
}

function optionFault(
  { name, rawName, value, index }: OptionToken,
  seen: ReadonlySet<OptionName>,
  argv: readonly string[],
): string | undefined {
  if (!isOption(name)) return unknownOption(argv[index] ?? rawName);
  if (seen.has(name)) return `${rawName} is given twice`;
  if (options[name].type === 'boolean') {
    return value === undefined ? undefined : `${rawName} takes no value`;
  }
  return !value ? `${rawName} needs a value` : undefined;
}

const isOption = (name: string): name is OptionName => Object.hasOwn(options, name);

/** Without its value, which may be a secret. */
function unknownOption(given: string): string {
  const [rawName = ''] = given.split('=');
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

function wordFaults([command, ...rest]: readonly string[], isFaulty: boolean): string[] {
  if (command === undefined) return [`no command given; there are ${commands.join(', ')}`];
  const known = commands.find((one) => one === command);
  if (known === undefined) return [unknownCommand(command)];
  if (known === 'help') return rest.filter((word) => !isCommand(word)).map(unknownCommand);
  const { names, required } = operandsOf[known];
  if (required && !isFaulty && rest.length < names.length) {
    return [`expected: watertight ${known} ${names.join(' ')}`];
  }
  return rest.slice(names.length).map((argument) => `unexpected argument '${redactUrl(argument)}'`);
}

function unknownCommand(word: string): string {
  const near = nearest(word, commands);
  const hint = near ? `did you mean ${near}?` : `there are ${commands.join(', ')}`;
  return `unknown command '${redactUrl(word)}'; ${hint}`;
}
