import type { Expression, Node } from '@babel/types';

/** `ancestors` has the outermost first, and last the parent. */
export type Visit = (node: Node, ancestors: readonly Node[]) => void;

/** Visits a node and all below it, in the order of the text. */
export function walk(node: Node, visit: Visit, ancestors: readonly Node[] = []): void {
  visit(node, ancestors);
  const below = [...ancestors, node];
  for (const [key, value] of Object.entries(node)) {
    if (key === 'leadingComments' || key === 'trailingComments' || key === 'loc') continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) walk(child, visit, below);
    }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** Where a node stands in the text. */
export const startOf = ({ start }: Node): number => start ?? 0;
export const endOf = ({ end }: Node): number => end ?? 0;
export const lineOf = ({ loc }: Node): number => loc?.start.line ?? 1;

/** What an expression is without what only TypeScript, or a wait, puts around it. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSNonNullExpression':
    case 'TSTypeAssertion':
    case 'ParenthesizedExpression':
      return bare(node.expression);
    case 'AwaitExpression':
      return bare(node.argument);
    default:
      return node;
  }
}

/** The name of a member, `Pool` in `pg.Pool`; undefined when it is computed. */
export function memberName(node: Node): string | undefined {
  if (node.type !== 'MemberExpression' && node.type !== 'OptionalMemberExpression')
    return undefined;
  return !node.computed && node.property.type === 'Identifier' ? node.property.name : undefined;
}

/** The name of an option of an object. */
export function keyOf(node: Node): string | undefined {
  if (node.type !== 'ObjectProperty' && node.type !== 'ObjectMethod') return undefined;
  if (node.key.type === 'StringLiteral') return node.key.value;
  return node.key.type === 'Identifier' && !node.computed ? node.key.name : undefined;
}

export type { Expression, Node };
