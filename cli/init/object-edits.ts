import type { Node, ObjectExpression } from '@babel/types';
import type { Code } from './code.ts';
import { insert, type Edit } from './edits.ts';
import { endOf, startOf } from './walk.ts';

export const replace = (node: Node, text: string): Edit => ({
  start: startOf(node),
  end: endOf(node),
  text,
});

/** Adds a last member to an object, in a line of its own where the others have theirs. */
export function append(code: Code, object: ObjectExpression, member: string): readonly Edit[] {
  const last = object.properties.at(-1);
  if (!last) return [replace(object, `{ ${member} }`)];
  const { text, newline } = code;
  const comma = code.next(endOf(last));
  const hasComma = text[comma] === ',';
  const after = hasComma ? comma + 1 : endOf(last);
  const inLines = text.slice(startOf(object), startOf(last)).includes('\n');
  if (!inLines) return [insert(after, hasComma ? ` ${member}` : `, ${member}`)];
  const line = newline + code.indentAt(startOf(last)) + member;
  if (hasComma) return [insert(code.lineEnd(after), `${line},`)];
  return [insert(endOf(last), ','), insert(code.lineEnd(endOf(last)), line)];
}

/** Takes a member out, with its comma, and with its line where it has one to itself. */
export function remove(code: Code, member: Node): Edit {
  const { text } = code;
  const comma = code.next(endOf(member));
  const after = text[comma] === ',' ? comma + 1 : endOf(member);
  const lineStart = text.lastIndexOf('\n', startOf(member) - 1) + 1;
  const alone =
    text.slice(lineStart, startOf(member)).trim() === '' &&
    /[\r\n]/.test(text[code.lineEnd(after)] ?? '');
  if (!alone) return { start: startOf(member), end: code.next(after), text: '' };
  return { start: lineStart, end: text.indexOf('\n', after) + 1, text: '' };
}
