import type { Node, ObjectProperty } from '@babel/types';
import type { Code } from './code.ts';
import type { Edit } from './edits.ts';
import { remove, replace } from './object-edits.ts';
import type { Options } from './options.ts';
import type { Traits } from './pools.ts';
import { bare, keyOf } from './walk.ts';

const maxTimeoutMillis = 30_000;

/** pg waits for ever with 0; ours refuses that, and more than 30 s, unless it is told otherwise. */
export function refusesTimeout(options: Options, { driver }: Traits): boolean {
  if (driver !== 'pg') return false;
  const property = options.property('connectionTimeoutMillis');
  if (!property) return options.partial;
  const millis =
    options.number('connectionTimeoutMillis') ?? options.fallback('connectionTimeoutMillis');
  return millis === undefined || millis === 0 || millis > maxTimeoutMillis;
}

/** What is done about an option, and what is said of it. */
export interface Mend {
  readonly edits: readonly Edit[];
  readonly note: string;
}

/** Options that the driver takes and watertight refuses, as it takes them. */
export function mended(code: Code, options: Options, { driver, capacity }: Traits): Mend[] {
  if (!options.own) return [];
  const mends: Mend[] = [];
  const stray = options.property('acquireTimeout');
  if (stray) {
    mends.push({
      edits: placeFor(options, capacity) === stray ? [] : [remove(code, stray)],
      note: `acquireTimeout is no option of ${driver}, which ignored it; it is taken out, acquireTimeoutMillis is what it meant`,
    });
  }
  const connect = driver === 'mysql2' ? options.property('connectTimeout') : undefined;
  const millis = options.number('connectTimeout');
  if (connect && millis !== undefined && millis > maxTimeoutMillis) {
    mends.push({
      edits: [replace(connect.value, `${maxTimeoutMillis}`)],
      note: `connectTimeout ${millis} becomes ${maxTimeoutMillis}, the most that watertight takes`,
    });
  }
  const max = driver === 'pg' ? options.property(...capacity) : undefined;
  const text = max && textFromEnvironment(code, max.value);
  if (max && text !== undefined) {
    mends.push({
      edits: [replace(max, `${keyOf(max)}: ${text}`)],
      note: `${keyOf(max)} came as text from the environment; watertight takes numbers only`,
    });
  }
  return mends;
}

/** The option that makes room for the configuration, which says the same. */
export function placeFor(
  options: Options,
  capacity: readonly string[],
): ObjectProperty | undefined {
  const literal = options.number(...capacity) !== undefined;
  return literal ? options.property(...capacity) : options.property('acquireTimeout');
}

function textFromEnvironment(code: Code, value: Node): string | undefined {
  const node = bare(value);
  const text = code.of(value);
  if (!/\bprocess\.env\b/.test(text)) return undefined;
  if (node.type === 'MemberExpression') return `Number(${text} || 10)`;
  return node.type === 'LogicalExpression' ? `Number(${text})` : undefined;
}
