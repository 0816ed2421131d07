/** A part of a text, and what is to stand there. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });

/** Edits do not overlap; several at one place stand in the order given. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  let [result, from] = ['', 0];
  for (const { start, end, text: replacement } of inOrder(edits)) {
    result += text.slice(from, start) + replacement;
    from = end;
  }
  return result + text.slice(from);
}

export const inOrder = (edits: readonly Edit[]): Edit[] =>
  [...edits].toSorted((one, other) => one.start - other.start);
