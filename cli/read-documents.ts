import { NotJson, parseJson } from '../config/parse-json.ts';
import { readText } from '../config/read-text.ts';
import type { Rehearsal } from '../rehearsal/index.ts';

/**
 * Reads what `rehearse --json` wrote.
 * @param faults are told a line for each file that is none, and what is wrong with it
 */
export function readDocuments(files: readonly string[], faults: string[]): Rehearsal[] {
  return files.flatMap((file) => {
    try {
      const value = parseJson(readText(file));
      const fault = document(value, '');
      if (fault === undefined) return [value as Rehearsal];
      faults.push(`${file}: this is not what rehearse --json writes: ${fault}`);
    } catch (error) {
      const place = error instanceof NotJson ? `${file}:${error.line}` : file;
      faults.push(`${place}: ${(error as Error).message}`);
    }
    return [];
  });
}

/** The first fault of a value, with its path. Only what is shown is looked at. */
type Check = (value: unknown, path: string) => string | undefined;

const expected = (what: string, path: string): string => `${path || 'all of it'}: expected ${what}`;

const text: Check = (value, path) =>
  typeof value === 'string' ? undefined : expected('a string', path);
const number: Check = (value, path) =>
  Number.isFinite(value) ? undefined : expected('a number', path);
const flag: Check = (value, path) =>
  typeof value === 'boolean' ? undefined : expected('true or false', path);
const oneOf =
  (...known: readonly string[]): Check =>
  (value, path) =>
    known.includes(value as string) ? undefined : expected(known.join(' or '), path);
const optional =
  (check: Check): Check =>
  (value, path) =>
    value === undefined ? undefined : check(value, path);
const orNull =
  (check: Check): Check =>
  (value, path) =>
    value === null ? undefined : check(value, path);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const object =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, path) => {
    if (!isObject(value)) return expected('an object', path);
    return first(Object.entries(fields), ([name, check]) =>
      check(value[name], path === '' ? name : `${path}.${name}`),
    );
  };
const listOf =
  (check: Check): Check =>
  (value, path) =>
    Array.isArray(value)
      ? first([...value.entries()], ([index, one]) => check(one, `${path}[${index}]`))
      : expected('an array', path);
const mapOf =
  (check: Check): Check =>
  (value, path) =>
    isObject(value)
      ? first(Object.entries(value), ([name, one]) => check(one, `${path}.${name}`))
      : expected('an object', path);

function first<T>(all: readonly T[], faultOf: (one: T) => string | undefined): string | undefined {
  for (const one of all) {
    const fault = faultOf(one);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

const run = oneOf('shared', 'baseline', 'partitioned');

const ifVoid =
  (check: Check): Check =>
  (value, path) =>
    isObject(value) && value['void'] === true ? check(value, path) : undefined;

/** What earlier versions did not write is optional. */
const played: Check = object({
  name: run,
  partitions: mapOf(
    object({
      offered: number,
      served: number,
      servedInTime: number,
      refused: number,
      timedOut: number,
      failed: number,
      answerWithinMillis: optional(number),
      latencyMillis: object({ p50: number, p99: number }),
    }),
  ),
  arrivalLagMillis: object({ p99: number }),
  keptSchedule: flag,
  void: optional(flag),
});
const bounded = ifVoid(object({ voidBoundMillis: number }));

const document: Check = object({
  scenario: text,
  driver: text,
  server: text,
  timeScale: number,
  max: number,
  partitions: optional(mapOf(object({ size: number, max: optional(number) }))),
  runs: listOf((value, path) => played(value, path) ?? bounded(value, path)),
  void: optional(flag),
  objectives: listOf(
    object({
      run,
      name: text,
      got: orNull(number),
      limit: number,
      rule: oneOf('at least', 'at most', 'below'),
      unit: oneOf('share', 'ratio', 'count'),
      met: flag,
    }),
  ),
});
