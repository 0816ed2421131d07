import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What docs/compatibility.md says of a row, besides what playing it showed. */
export interface Row {
  /** `pg/kysely` */
  readonly name: string;
  readonly driver: Driver;
  /** In place of the name of the library. */
  readonly title?: string;
  /** The library, and what else has to be installed to use it so. Empty: it is part of Node. */
  readonly packages: readonly string[];
  /** The oldest major version of Node that the library runs on, where ours runs on an older one. */
  readonly node?: number;
  /** What its users have to know. */
  readonly remark?: string;
}

/** A library that a partition cannot be given to. */
export interface Unsupported {
  readonly package: string;
  /** The one that was looked at. */
  readonly version: string;
  readonly reason: string;
}

export const drivers = ['pg', 'mysql2', 'mongoose'] as const;
export type Driver = (typeof drivers)[number];

/** Runtimes beside Node, and the parameters before a program. */
export const runtimes: Readonly<Record<string, readonly string[]>> = {
  bun: [],
  deno: ['run', '-A'],
};

export const bundlers: readonly string[] = ['esbuild', 'webpack', '@rspack/core'];

export const typescripts: readonly string[] = [
  'typescript-5.4',
  'typescript-5.9',
  'typescript-6',
  'typescript-7',
];

interface Catalog {
  readonly rows: Readonly<Record<string, Omit<Row, 'name' | 'driver'>>>;
  readonly unsupported: readonly Unsupported[];
}

const read = (file: string): string => readFileSync(join(__dirname, file), 'utf8');

const catalogOf = (driver: Driver): Catalog =>
  JSON.parse(read(`rows/${driver}/catalog.json`)) as Catalog;

/** @throws when a program is not in the catalog, or the other way about */
export function rowsOf(driver: Driver): readonly Row[] {
  const { rows } = catalogOf(driver);
  const programs = readdirSync(join(__dirname, 'rows', driver))
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -'.ts'.length));
  const odd = programs
    .filter((name) => !(name in rows))
    .concat(Object.keys(rows).filter((name) => !programs.includes(name)));
  if (odd.length > 0) throw new Error(`rows/${driver}/catalog.json: compare ${odd.join(', ')}`);
  return programs.toSorted().map((name) => ({ ...rows[name]!, name: `${driver}/${name}`, driver }));
}

export const unsupportedOf = (driver: Driver): readonly Unsupported[] =>
  catalogOf(driver).unsupported;

/** The installed version. */
export const versionOf = (name: string): string =>
  (JSON.parse(read(`node_modules/${name}/package.json`)) as { version: string }).version;

/** What a user writes: the program's imports of packages, and what stands in its region `wire`. */
export function wiringOf({ name }: Row): string {
  const program = read(`rows/${name}.ts`);
  const region = /^( *)\/\/ #region wire\n(.*?)^ *\/\/ #endregion/ms.exec(program);
  if (!region) throw new Error(`rows/${name}.ts has no region 'wire'`);
  const [, indent = '', body = ''] = region;
  const imports = Array.from(
    program.matchAll(/^import (?:[^;]|\n)*? from '([^'.][^']*)';\n/gm),
    ([text, from]) => (usedIn(body, text) && !from!.startsWith('node:') ? text : ''),
  ).join('');
  const lines = body.split('\n').map((line) => line.slice(indent.length));
  return `${imports}${imports && '\n'}${lines.join('\n').trimEnd()}`;
}

/** Whether the text uses a name that the import brings. */
function usedIn(text: string, imported: string): boolean {
  const [clause = ''] = imported.split(" from '");
  const names = clause.split(/\W+/).filter((name) => !keywords.has(name));
  return names.some((name) => new RegExp(String.raw`(?<!['.\w])${name}\b`).test(text));
}

const keywords = new Set(['', 'import', 'type', 'as']);
