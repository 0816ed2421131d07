import type { Code } from './code.ts';
import { insert, type Edit } from './edits.ts';
import type { Source } from './names.ts';
import { endOf, startOf } from './walk.ts';

/** A name that a file takes from a module. */
export interface Load {
  readonly name: string;
  /** Of watertight. */
  readonly module: string;
  /** The name is for all of the module. */
  readonly whole?: true;
}

/** The name under which a file can take `name` from a module: itself, where it has no such name yet. */
export function freeName({ text }: Code, name: string): string {
  const taken = new RegExp(`(?<![\\w$.'"])${name}(?![\\w$'"])`).test(text);
  return taken ? `${name}OfWatertight` : name;
}

/** The lines that load these, below the one that loads the driver, in the words of the file. */
export function loadEdit(
  code: Code,
  after: Source,
  loads: readonly Load[],
  below: readonly string[],
): Edit {
  const lines = [...loads.map((load) => lineFor(code, after, load)), ...spaced(below)];
  const beside = below.length === 0 && code.loads(after.statement);
  const anchor = beside ? after.statement : code.lastLoad;
  const { newline } = code;
  if (anchor) return insert(code.lineEnd(endOf(anchor)), newline + lines.join(newline));
  const first = code.program.body[0];
  return insert(first ? startOf(first) : code.text.length, [...lines, '', ''].join(newline));
}

const spaced = (lines: readonly string[]): string[] => (lines.length > 0 ? ['', ...lines] : []);

function lineFor(code: Code, { literal }: Source, { name, module, whole }: Load): string {
  const quote = code.of(literal)[0] === '"' ? '"' : "'";
  const end = semicolon(code);
  const from = `${quote}watertight/${module}${quote}`;
  if (whole) return `import * as ${name} from ${from}${end}`;
  const local = freeName(code, name);
  const as = code.imports ? ' as ' : ': ';
  const names = local === name ? name : `${name}${as}${local}`;
  return code.imports
    ? `import { ${names} } from ${from}${end}`
    : `const { ${names} } = require(${from})${end}`;
}

/** As most statements at the top of the file have it. */
export function semicolon({ program, text }: Code): string {
  const simple = program.body.filter(({ type }) =>
    ['ImportDeclaration', 'VariableDeclaration', 'ExpressionStatement'].includes(type),
  );
  const ended = simple.filter((one) => text[endOf(one) - 1] === ';');
  return 2 * ended.length >= simple.length ? ';' : '';
}
