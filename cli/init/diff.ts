import { applyEdits, inOrder, type Edit } from './edits.ts';

/** Lines, with their ends, that stand in place of others from line `at` on, counted from 0. */
interface Change {
  readonly at: number;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

const contextLines = 3;

/** The edits of a file as `patch -p1` and `git apply` take them. */
export function unifiedDiff(name: string, text: string, edits: readonly Edit[]): string {
  const lines = linesOf(text);
  let shift = 0;
  const hunks = grouped(changesOf(text, edits)).map((changes) => {
    const hunk = hunkOf(changes, lines, shift);
    shift += sum(changes, ({ added, removed }) => added.length - removed.length);
    return hunk;
  });
  return [`--- a/${name}\n`, `+++ b/${name}\n`, ...hunks].join('');
}

/** A file that is not there yet. */
export function newFileDiff(name: string, text: string): string {
  const lines = linesOf(text);
  const added = lines.map((line) => marked('+', line)).join('');
  return `--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${lines.length} @@\n${added}`;
}

function changesOf(text: string, edits: readonly Edit[]): Change[] {
  const starts = lineStarts(text);
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset);
  const ranges: { first: number; last: number; edits: Edit[] }[] = [];
  for (const edit of inOrder(edits)) {
    const [first, last] = [lineAt(edit.start), lineAt(edit.end)];
    const before = ranges.at(-1);
    // What is removed from neighbouring lines stands together, before what is added to them.
    if (before && first <= before.last + 1) {
      before.edits.push(edit);
      before.last = Math.max(before.last, last);
    } else ranges.push({ first, last, edits: [edit] });
  }
  const lines = linesOf(text);
  return ranges.map(({ first, last, edits: inside }) => {
    const removed = lines.slice(first, last + 1);
    const from = starts[first] ?? 0;
    const moved = inside.map((one) => ({ ...one, start: one.start - from, end: one.end - from }));
    return trimmed({ at: first, removed, added: linesOf(applyEdits(removed.join(''), moved)) });
  });
}

/** Without the lines at its ends that stay as they are. */
function trimmed({ at, removed, added }: Change): Change {
  const most = Math.min(removed.length, added.length);
  let head = 0;
  while (head < most && removed[head] === added[head]) head++;
  let tail = 0;
  while (tail < most - head && removed.at(-1 - tail) === added.at(-1 - tail)) tail++;
  return {
    at: at + head,
    removed: removed.slice(head, removed.length - tail),
    added: added.slice(head, added.length - tail),
  };
}

/** Changes whose surroundings touch make one hunk. */
function grouped(changes: readonly Change[]): Change[][] {
  const groups: Change[][] = [];
  for (const change of changes) {
    const before = groups.at(-1)?.at(-1);
    const near = before && change.at - (before.at + before.removed.length) <= 2 * contextLines;
    if (near) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups;
}

function hunkOf(changes: readonly Change[], lines: readonly string[], shift: number): string {
  const [first, last] = [changes[0], changes.at(-1)];
  if (!first || !last) return '';
  const from = Math.max(0, first.at - contextLines);
  const to = Math.min(lines.length, last.at + last.removed.length + contextLines);
  const body: string[] = [];
  let next = from;
  for (const { at, removed, added } of changes) {
    body.push(...lines.slice(next, at).map((line) => marked(' ', line)));
    body.push(...removed.map((line) => marked('-', line)));
    body.push(...added.map((line) => marked('+', line)));
    next = at + removed.length;
  }
  body.push(...lines.slice(next, to).map((line) => marked(' ', line)));
  const length = to - from;
  const grown = length + sum(changes, ({ added, removed }) => added.length - removed.length);
  return `@@ -${from + 1},${length} +${from + 1 + shift},${grown} @@\n${body.join('')}`;
}

const marked = (mark: string, line: string): string =>
  line.endsWith('\n') ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`;

/** With their ends; a text that ends with one has no empty line after it. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const lineStarts = (text: string): number[] => [
  0,
  ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1),
];

const sum = <T>(list: readonly T[], of: (one: T) => number): number =>
  list.reduce((total, one) => total + of(one), 0);
