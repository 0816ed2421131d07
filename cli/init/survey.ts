import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { mentions } from './by-hand.ts';
import { Code } from './code.ts';
import { find } from './find.ts';
import { packageOf, readPackage, type Package } from './packages.ts';
import type { Parse } from './parser.ts';
import type { Found } from './place.ts';
import { sourceFiles } from './source-files.ts';

/** A file that has something to divide. */
export interface Read {
  readonly code: Code;
  /** As it was on the disk. */
  readonly bytes: Buffer;
  readonly found: Found;
}

/** What there is in a folder. */
export interface Survey {
  readonly packages: readonly Package[];
  readonly files: readonly Read[];
  /** One line for each file that could not be looked at. */
  readonly faults: readonly string[];
}

const mark = '\uFEFF';

export function survey(folder: string, parse: Parse): Survey {
  const paths = sourceFiles(folder);
  const faults: string[] = [];
  const attempt = <T>(path: string, act: () => T): T[] => {
    try {
      return [act()];
    } catch (error) {
      faults.push(faultOf(path, error as Error));
      return [];
    }
  };
  const isPackage = (path: string): boolean => basename(path) === 'package.json';
  const packages = paths
    .filter(isPackage)
    .flatMap((path) => attempt(path, () => readPackage(folder, path)));
  const files = paths
    .filter((path) => !isPackage(path))
    .flatMap((path) => attempt(path, () => readCode(folder, path, parse, packages)))
    .filter((one) => one !== undefined);
  return { packages, files, faults };
}

/** Undefined: there is nothing in it that could be of interest. */
function readCode(
  folder: string,
  path: string,
  parse: Parse,
  packages: readonly Package[],
): Read | undefined {
  const bytes = readFileSync(join(folder, path));
  if (!mentions.test(bytes.toString('latin1'))) return undefined;
  const text = decode(bytes);
  const code = new Code(path, text, parse(text, path));
  const evaluatedAnew = packageOf(path, packages)?.dependencies.has('next') ?? false;
  return { code, bytes, found: find(code, evaluatedAnew) };
}

/** Without the mark of the byte order, which `encode` puts back. */
function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

export function encode(text: string, { bytes }: Read): string {
  return bytes.subarray(0, 3).equals(Buffer.from(mark)) ? mark + text : text;
}

interface ParseError extends Error {
  readonly loc?: { readonly line: number };
  readonly code?: string;
}

function faultOf(path: string, { loc, code, message, name }: ParseError): string {
  if (loc)
    return `${path}:${loc.line}: it cannot be parsed: ${message.replace(/ \(\d+:\d+\)$/, '')}`;
  if (code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return `${path}: it is not UTF-8`;
  if (code === 'EACCES') return `${path}: this user may not read it`;
  if (name === 'SyntaxError') return `${path}: this is not JSON: ${message}`;
  return `${path}: it cannot be read: ${message}`;
}
