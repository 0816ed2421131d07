import type { Code } from './code.ts';
import type { Edit } from './edits.ts';
import type { Load } from './loads.ts';
import type { Source } from './names.ts';
import { startOf, walk } from './walk.ts';

/** How a file takes a whole module whose types it names, `mysql` in `mysql.Pool`. */
export interface Qualified {
  readonly edits: readonly Edit[];
  readonly loads: readonly Load[];
}

/** Of the default of `pg` TypeScript knows types; of that of watertight only `* as` has them. */
export function qualified(code: Code, { module, statement }: Source): Qualified {
  const none = { edits: [], loads: [] };
  if (statement.type !== 'ImportDeclaration') return none;
  const [first, second] = statement.specifiers;
  if (first?.type !== 'ImportDefaultSpecifier' || !qualifies(code, first.local.name)) return none;
  const { name } = first.local;
  const at = startOf(first);
  if (!second) return { edits: [{ start: at, end: at, text: '* as ' }], loads: [] };
  const brace = code.text.indexOf('{', at);
  const whole = { name, module, whole: true } as const;
  return { edits: [{ start: at, end: brace, text: '' }], loads: [whole] };
}

function qualifies({ program }: Code, name: string): boolean {
  let found = false;
  walk(program, (node) => {
    if (node.type !== 'TSQualifiedName' || node.left.type !== 'Identifier') return;
    found ||= node.left.name === name;
  });
  return found;
}
