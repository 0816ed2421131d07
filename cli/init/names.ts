import type { Node, StringLiteral } from '@babel/types';
import { bare, memberName, walk } from './walk.ts';

/** Where a file takes a module from. */
export interface Source {
  readonly module: string;
  /** The name of the module, as it is written. */
  readonly literal: StringLiteral;
  /** The statement, at the top of the file, that it stands in. */
  readonly statement: Node;
}

/** What an expression means: a member of a module, `Pool` or `Pool.forRoot`; or `*`, all of it. */
export interface Meaning {
  readonly source: Source;
  readonly name: string;
}

/** What the names of a file mean, whatever they were imported as. Scopes are not told apart. */
export class Names {
  readonly #meanings = new Map<string, Meaning>();
  readonly #sources = new Map<Node, Source>();

  constructor(program: Node) {
    walk(program, (node, [, statement = node]) => this.#read(node, statement));
  }

  /** Undefined for what is of no module. */
  meaningOf(given: Node): Meaning | undefined {
    const node = bare(given);
    if (node.type === 'Identifier') return this.#meanings.get(node.name);
    const source = this.#sources.get(node);
    if (source) return { source, name: '*' };
    const member = memberName(node);
    if (member === undefined) return undefined;
    const whole = this.meaningOf((node as unknown as { object: Node }).object);
    return whole && memberOf(whole, member);
  }

  #read(node: Node, statement: Node): void {
    if (node.type === 'ImportDeclaration') {
      if (node.importKind === 'type') return;
      const source = { module: node.source.value, literal: node.source, statement };
      for (const specifier of node.specifiers) {
        if (specifier.type !== 'ImportSpecifier') this.#set(specifier.local, { source, name: '*' });
        else if (specifier.importKind !== 'type') {
          const { imported } = specifier;
          const name = imported.type === 'Identifier' ? imported.name : imported.value;
          this.#set(specifier.local, memberOf({ source, name: '*' }, name));
        }
      }
    } else if (node.type === 'TSImportEqualsDeclaration') {
      const { moduleReference: from } = node;
      if (from.type !== 'TSExternalModuleReference') return;
      const source = { module: from.expression.value, literal: from.expression, statement };
      this.#set(node.id, { source, name: '*' });
    } else if (node.type === 'VariableDeclarator' && node.init) {
      this.#registerLoad(node.init, statement);
      this.#bind(node.id, this.meaningOf(node.init));
    } else if (node.type === 'AssignmentExpression') {
      this.#registerLoad(node.right, statement);
      this.#bind(node.left, this.meaningOf(node.right));
    } else this.#load(node, statement);
  }

  /** The loads below a declaration are met only after it. */
  #registerLoad(node: Node, statement: Node): void {
    walk(node, (one) => this.#load(one, statement));
  }

  #load(node: Node, statement: Node): void {
    const literal = loaded(node);
    if (literal) this.#sources.set(node, { module: literal.value, literal, statement });
  }

  #bind(pattern: Node, meaning: Meaning | undefined): void {
    if (!meaning) return;
    if (pattern.type !== 'ObjectPattern') return this.#set(pattern, meaning);
    for (const property of pattern.properties) {
      if (property.type !== 'ObjectProperty' || property.key.type !== 'Identifier') continue;
      const { value } = property;
      const local = value.type === 'AssignmentPattern' ? value.left : value;
      this.#bind(local, memberOf(meaning, property.key.name));
    }
  }

  #set(local: Node, meaning: Meaning): void {
    if (local.type === 'Identifier') this.#meanings.set(local.name, meaning);
  }
}

function memberOf({ source, name }: Meaning, member: string): Meaning {
  if (name === '*') return { source, name: member === 'default' ? '*' : member };
  return { source, name: `${name}.${member}` };
}

/** The name in `require('pg')` and `import('pg')`. */
function loaded(node: Node): StringLiteral | undefined {
  if (node.type === 'ImportExpression') return literalOf(node.source);
  if (node.type !== 'CallExpression') return undefined;
  const { callee } = node;
  const loads =
    callee.type === 'Import' || (callee.type === 'Identifier' && callee.name === 'require');
  return loads ? literalOf(node.arguments[0]) : undefined;
}

const literalOf = (node: Node | null | undefined): StringLiteral | undefined =>
  node?.type === 'StringLiteral' ? node : undefined;
