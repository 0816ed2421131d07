import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { subjectNames, taskNames } from './names.ts';

export const parts = ['overhead', 'contention', 'memory', 'incident'] as const;
export type Part = (typeof parts)[number];

export interface Settings {
  readonly parts: readonly Part[];
  readonly quick: boolean;
  readonly help: boolean;
  readonly json: string | undefined;
  /** The folder for the pictures. */
  readonly svg: string | undefined;
  /** The page whose tables are replaced by those measured. */
  readonly page: string | undefined;
  /** Only these subjects besides the limit; all when empty. */
  readonly only: readonly string[];
  /** Only tasks whose name begins with this. */
  readonly task: string | undefined;
}

/** One line says what is wrong. */
export class UsageError extends Error {
  override readonly name: string = 'UsageError';
}

export const help = `Usage: npm run bench -- [part ...] [options]

Measures watertight against the bare driver, its peers and a hand-written limit,
side by side in one run. What counts are the ratios.

Parts (all when none is named):
  overhead      select 1 or findOne through a partition and through the bare pool
  contention    lines of waiters: drained, timed out, aborted, mixed
  memory        bytes per waiter, and what is left behind
  incident      a batch against everybody else, with and without walls

Options:
  --quick       fewer rounds and sizes: all parts in a few minutes
  --json FILE   write the ratios as one JSON document
  --svg DIR     draw the figures
  --page FILE   replace the tables of a page, as of docs/performance.md
  --only LIST   contention: these subjects only, e.g. --only watertight,pg-pool
  --task NAME   contention, overhead: what begins so, e.g. --task drain
  -h, --help    show this
`;

const options = {
  quick: { type: 'boolean', default: false },
  json: { type: 'string' },
  svg: { type: 'string' },
  page: { type: 'string' },
  only: { type: 'string' },
  task: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** @throws `UsageError` */
export function readArguments(argv: readonly string[]): Settings {
  const { values, positionals } = parse(argv);
  const chosen = positionals.map(partOf);
  const only = values.only?.split(',') ?? [];
  for (const name of only) {
    if (!subjectNames.includes(name)) {
      throw new UsageError(`unknown subject '${name}'; there are ${subjectNames.join(', ')}`);
    }
  }
  checkTask(values.task);
  if (values.json) checkWritable(dirname(values.json));
  if (values.page) checkWritable(values.page);
  return {
    parts: chosen.length === 0 ? parts : parts.filter((part) => chosen.includes(part)),
    quick: values.quick,
    help: values.help,
    json: values.json,
    svg: values.svg,
    page: values.page,
    only,
    task: values.task,
  };
}

function parse(argv: readonly string[]) {
  try {
    const parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
    for (const name of ['json', 'svg', 'page', 'only', 'task'] as const) {
      if (parsed.values[name] === '') throw new UsageError(`--${name} needs a value`);
    }
    return parsed;
  } catch (error) {
    // Node explains at length how else it could be meant.
    const [first = ''] = (error as Error).message.split(/\. |\n/);
    throw new UsageError(first);
  }
}

function partOf(name: string): Part {
  const part = parts.find((known) => known === name);
  if (part) return part;
  throw new UsageError(`unknown part '${name}'; there are ${parts.join(', ')}`);
}

function checkTask(beginning: string = ''): void {
  if (taskNames.some((name) => name.startsWith(beginning))) return;
  throw new UsageError(`no task begins with '${beginning}'; there are ${taskNames.join(', ')}`);
}

/** Told now, not when all has been measured. */
function checkWritable(path: string): void {
  try {
    accessSync(path, constants.W_OK);
  } catch {
    throw new UsageError(`cannot write to '${path}'`);
  }
}
