/**
 * Finds the lines of a JSON document's members, for messages. `JSON.parse` has read it before: what
 * comes here is known to be well-formed.
 * @returns the line of each member, counted from 1, by its path: `services.shop.max`. Of an array
 * those are its objects, arrays and strings by their index: `phases.0.name`
 */
export function locateMembers(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const path: (string | number)[] = [];
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
    } else if (token === '{') path.push('');
    else if (token === '[') path.push(0);
    else if (token === ',' && typeof index === 'number') path[path.length - 1] = index + 1;
    else if (token === '}' || token === ']') path.pop();
  }
  return lines;
}

const TOKENS = /\n|"(?:[^"\\]|\\.)*"|[{}[\]:,]/g;

/** The line, counted from 1, at which the parser gave up. */
export function lineOfSyntaxError(text: string, { message }: Error): number | undefined {
  // V8 says "at position 12"; since Node 22 also "(line 1 column 13)"; at the end of the text neither.
  const position = /position (\d+)/.exec(message)?.[1];
  if (position !== undefined) return text.slice(0, Number(position)).split('\n').length;
  return message.includes('end of JSON') ? text.split('\n').length : undefined;
}
