import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { parse as babelParse, ParserPlugin } from '@babel/parser';
import type { File } from '@babel/types';

/** @throws SyntaxError of the parser, with `loc` */
export type Parse = (text: string, path: string) => File;

/** There is no parser to read code with. */
export class NoParser extends Error {
  override readonly name: string = 'NoParser';

  constructor() {
    super(
      'init reads code with @babel/parser, which is not installed here; this brings it along:\n' +
        '  npx -p watertight -p @babel/parser@7 watertight init',
    );
  }
}

/**
 * The parser beside watertight, else that of the service, which many have through their test runner.
 * @throws NoParser
 */
export async function loadParser(folder: string): Promise<Parse> {
  const parse = (await loadOwn()) ?? (await loadFrom(folder));
  if (!parse) throw new NoParser();
  return (text, path) =>
    parse(text, {
      // Names that are declared twice and the like are for others to complain about.
      errorRecovery: true,
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      plugins: pluginsFor(extname(path)),
    });
}

type Babel = { readonly parse: typeof babelParse };

async function loadOwn(): Promise<Babel['parse'] | undefined> {
  try {
    return parseOf(await import('@babel/parser'));
  } catch {
    return undefined;
  }
}

async function loadFrom(folder: string): Promise<Babel['parse'] | undefined> {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve('@babel/parser');
    return parseOf((await import(pathToFileURL(path).href)) as Babel);
  } catch {
    return undefined;
  }
}

/** Version 7 is CommonJS, whose names an ES module sees or does not see. */
const parseOf = (module: Babel & { readonly default?: Babel }): Babel['parse'] | undefined =>
  module.parse ?? module.default?.parse;

const everywhere: readonly ParserPlugin[] = [
  'decorators-legacy',
  'decoratorAutoAccessors',
  'explicitResourceManagement',
];

/** In TypeScript `<T>value` is a cast, in all others it begins an element. */
function pluginsFor(extension: string): ParserPlugin[] {
  if (extension === '.tsx') return [...everywhere, 'typescript', 'jsx'];
  if (/^\.[cm]?ts$/.test(extension)) return [...everywhere, 'typescript'];
  return [...everywhere, 'jsx'];
}
