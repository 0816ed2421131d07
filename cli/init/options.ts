import type { Node, ObjectExpression, ObjectProperty } from '@babel/types';
import { bare, keyOf, walk } from './walk.ts';

/** What is given to a pool when it is made, as far as its file says it. */
export class Options {
  readonly given: Node | undefined;
  /** The object with the options, where it stands in the file. */
  readonly object: ObjectExpression | undefined;
  /** The object is for this pool only: what is changed in it is changed for no other. */
  readonly own: boolean;
  readonly #program: Node;

  constructor(given: Node | undefined, program: Node) {
    this.#program = program;
    this.given = given && bare(given);
    const declared = this.#declared(this.given);
    const value = declared ?? this.given;
    this.object = value?.type === 'ObjectExpression' ? value : undefined;
    this.own = declared === undefined || this.#isOwn(this.given);
  }

  /** Some of the options come from elsewhere. */
  get partial(): boolean {
    if (this.given === undefined) return false;
    return !this.object || this.object.properties.some(({ type }) => type === 'SpreadElement');
  }

  /** The first of these that is given. */
  property(...names: readonly string[]): ObjectProperty | undefined {
    return this.object?.properties.find(
      (one): one is ObjectProperty =>
        one.type === 'ObjectProperty' && names.includes(keyOf(one) ?? ''),
    );
  }

  /** The number an option is, where it is written as one. */
  number(...names: readonly string[]): number | undefined {
    const property = this.property(...names);
    return property && numberOf(property.value);
  }

  /** The least number that an option may come to when nothing else is said: 10 in `process.env.MAX ?? 10`. */
  fallback(...names: readonly string[]): number | undefined {
    const property = this.property(...names);
    if (!property) return undefined;
    const found = branches(property.value).map((one) => numberOf(this.#declared(one) ?? one));
    const numbers = found.filter((one) => one !== undefined && one > 0);
    return numbers.length > 0 ? Math.min(...(numbers as number[])) : undefined;
  }

  /** The string that an expression is. */
  text(given: Node | undefined): string | undefined {
    const node = given && (this.#declared(bare(given)) ?? bare(given));
    if (node?.type === 'StringLiteral') return node.value;
    return node?.type === 'TemplateLiteral'
      ? node.quasis.map(({ value }) => value.raw).join('')
      : undefined;
  }

  /** What a name stands for, if the file declares it once. */
  #declared(node: Node | undefined): Node | undefined {
    if (node?.type !== 'Identifier') return undefined;
    const found: Node[] = [];
    walk(this.#program, (one) => {
      if (one.type !== 'VariableDeclarator' || !one.init) return;
      if (one.id.type === 'Identifier' && one.id.name === node.name) found.push(bare(one.init));
    });
    return found.length === 1 ? found[0] : undefined;
  }

  /** It is declared, used once, and not handed to other files. */
  #isOwn(node: Node | undefined): boolean {
    let [uses, exported] = [0, false];
    walk(this.#program, (one, ancestors) => {
      if (one.type !== 'Identifier' || node?.type !== 'Identifier') return;
      if (one.name !== node.name) return;
      uses++;
      const declares = ancestors.at(-1)?.type === 'VariableDeclarator';
      exported ||= declares && ancestors.at(-3)?.type === 'ExportNamedDeclaration';
    });
    return uses === 2 && !exported;
  }
}

/** A number, or digits in quotes, which drivers take, too. */
function numberOf(given: Node): number | undefined {
  const node = bare(given);
  if (node.type === 'NumericLiteral') return node.value;
  return node.type === 'StringLiteral' && /^\d+$/.test(node.value) ? Number(node.value) : undefined;
}

/** What an expression may come to: the alternatives of `?:`, `||` and `??`, also within `Number()`. */
function branches(given: Node): Node[] {
  const node = bare(given);
  switch (node.type) {
    case 'ConditionalExpression':
      return [...branches(node.consequent), ...branches(node.alternate)];
    case 'LogicalExpression':
      return [...branches(node.left), ...branches(node.right)];
    case 'CallExpression':
      return node.arguments[0] ? branches(node.arguments[0]) : [];
    case 'UnaryExpression':
      return node.operator === '+' ? branches(node.argument) : [];
    default:
      return [node];
  }
}
