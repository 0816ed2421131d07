import { basename } from 'node:path';
import type { Node } from '@babel/types';
import { keyOf, memberName } from './walk.ts';

const functions = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** What the code calls a pool: the variable or member it is put into, else its file. */
export function nameOf(ancestors: readonly Node[], file: string): string {
  for (const node of ancestors.toReversed()) {
    if (functions.includes(node.type)) break;
    const name = targetOf(node);
    if (name !== undefined) return name;
  }
  return basename(file).replace(/\..*$/, '');
}

function targetOf(node: Node): string | undefined {
  if (node.type === 'VariableDeclarator') {
    return node.id.type === 'Identifier' ? node.id.name : undefined;
  }
  if (node.type === 'AssignmentExpression') {
    return node.left.type === 'Identifier' ? node.left.name : memberName(node.left);
  }
  if (node.type === 'ClassProperty' && node.key.type === 'Identifier') return node.key.name;
  return node.type === 'ObjectProperty' ? keyOf(node) : undefined;
}
