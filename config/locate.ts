/** Where the members of a JSON document stand, for messages. */
export interface Located {
  /**
   * The line of each member, counted from 1, by its path: `services.shop.max`. Of an array those are
   * its objects, arrays and strings by their index: `phases.0.name`
   */
  readonly lines: ReadonlyMap<string, number>;
  /** Members whose name their object has already; `JSON.parse` lets the last one win. */
  readonly repeated: readonly Repeated[];
}

export interface Repeated {
  readonly path: string;
  readonly line: number;
  readonly firstLine: number;
}

/** `JSON.parse` has read it before: what comes here is known to be well-formed. */
export function locateMembers(text: string): Located {
  const lines = new Map<string, number>();
  const repeated: Repeated[] = [];
  const path: (string | number)[] = [];
  /** Of each object and array around the token, the lines in which its names stand first. */
  const names: Map<string, number>[] = [];
  let line = 1;
  /** The string that may turn out to be a member's name, and where it stands. */
  let last: { readonly text: string; readonly line: number } | undefined;
  for (const [token] of text.matchAll(TOKENS)) {
    const index = path.at(-1);
    if (typeof index === 'number' && /^["{[]/.test(token)) lines.set(path.join('.'), line);
    if (token === '\n') line++;
    else if (token.startsWith('"')) last = { text: JSON.parse(token) as string, line };
    else if (token === ':' && last) {
      path[path.length - 1] = last.text;
      lines.set(path.join('.'), last.line);
      const firstLine = names.at(-1)?.get(last.text);
      if (firstLine === undefined) names.at(-1)?.set(last.text, last.line);
      else repeated.push({ path: path.join('.'), line: last.line, firstLine });
    } else if (token === '{' || token === '[') {
      path.push(token === '{' ? '' : 0);
      names.push(new Map());
    } else if (token === ',' && typeof index === 'number') path[path.length - 1] = index + 1;
    else if (token === '}' || token === ']') {
      path.pop();
      names.pop();
    }
  }
  return { lines, repeated };
}

const TOKENS = /\n|"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

export const repeatedRule = ({ line, firstLine }: Repeated): string =>
  firstLine === line
    ? 'given twice in this line'
    : `given twice, in line ${firstLine} and in line ${line}`;
