import { readFileSync, writeFileSync } from 'node:fs';
import type { Part } from './arguments.ts';

/**
 * Puts what was measured into a page, between `<!-- bench: contention -->` and `<!-- bench: end -->`:
 * a figure in the documentation is one that was measured, with the command that measures it again.
 */
export function fillPage(file: string, tables: ReadonlyMap<Part, string>): void {
  let page = readFileSync(file, 'utf8');
  for (const [part, text] of tables) page = fill(page, part, text);
  writeFileSync(file, page);
}

/** The page with another text in the place of the part; as it was when it has no such place. */
export function fill(page: string, part: string, text: string): string {
  const start = `<!-- bench: ${part} -->`;
  const [before, rest] = splitAt(page, start);
  const [, after] = splitAt(rest, '<!-- bench: end -->');
  if (rest === '' || after === '') return page;
  const block = ['```text', text.trim(), '```'].join('\n');
  return `${before}${start}\n\n${block}\n\n<!-- bench: end -->${after}`;
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
