import type { MemberExpression, Node } from '@babel/types';
import type { Code } from './code.ts';
import { insert, type Edit } from './edits.ts';
import { freeName, semicolon } from './loads.ts';
import type { Meaning } from './names.ts';
import { Options } from './options.ts';
import type { Place } from './place.ts';
import { nameOf } from './place-name.ts';
import { usualTimeoutMillis, type Call } from './pools.ts';
import { endOf, lineOf, memberName, startOf } from './walk.ts';

const defaultPoolSize = 100;
/** Of `maxPoolSize`, for commits and the ends of cursors. */
const finishReserve = 1;

/** How a call connects. */
type Connects = 'connect' | 'createConnection';

export function connectsOf(call: Call, { source, name }: Meaning): Connects | undefined {
  if (call.type === 'NewExpression' || source.module !== 'mongoose') return undefined;
  return name === 'connect' || name === 'createConnection' ? name : undefined;
}

/** Undefined when there is no statement to put the division beside. */
export function connectionPlace(
  code: Code,
  call: Call,
  ancestors: readonly Node[],
  { source }: Meaning,
  connects: Connects,
  evaluatedAnew: boolean,
): Place | undefined {
  const divide = connects === 'connect' ? beside(code, call, ancestors) : after(code, ancestors);
  // What is loaded within a function has no name outside.
  if (!divide || !code.loads(source.statement)) return undefined;
  const options = new Options(call.arguments[1], code.program);
  const inUrl = /[?&]maxPoolSize=(\d+)/.exec(options.text(call.arguments[0]) ?? '')?.[1];
  const given =
    options.number('maxPoolSize') ?? (inUrl && Number(inUrl)) ?? options.fallback('maxPoolSize');
  const waits = options.number('waitQueueTimeoutMS') ?? 0;
  const maxPoolSize = given || defaultPoolSize;
  return {
    driver: 'mongoose',
    file: code.file,
    line: lineOf(call),
    what: `mongoose.${connects}`,
    name: connects === 'connect' ? 'mongoose' : nameOf(ancestors, code.file),
    capacity: maxPoolSize - finishReserve,
    origin: `maxPoolSize ${maxPoolSize}${given ? '' : ', the default'}, less 1 for commits and cursors that end`,
    settings: waits > 30_000 ? { acquireTimeoutMillis: usualTimeoutMillis } : {},
    notes:
      options.partial && !given
        ? ['look where its options come from: the sizes must fit into its maxPoolSize less 1']
        : [],
    source,
    dropsIn: false,
    loads: [
      { name: 'loadConfig', module: 'config' },
      { name: 'partitionConnection', module: 'mongoose' },
    ],
    wire: (config) => {
      const { connection, place, extra } = divide;
      const divides = freeName(code, 'partitionConnection');
      const divided = `${divides}(${connection}, ${config})${semicolon(code)}`;
      const statement =
        evaluatedAnew && connects === 'connect' ? onceAProcess(code, divided) : divided;
      return place ? { edits: [...extra, place(statement)] } : { edits: extra, below: statement };
    },
  };
}

/** For modules that are evaluated again, as by Next.js, in a process whose mongoose stays. */
const onceAProcess = ({ file }: Code, divided: string): string =>
  /\.[cm]?tsx?$/.test(file)
    ? `(globalThis as { partitioned?: unknown }).partitioned ??= ${divided}`
    : `globalThis.partitioned ??= ${divided}`;

interface Division {
  /** The expression that is the connection. */
  readonly connection: string;
  /** Puts the statement into a place; undefined: below what the file loads at its top. */
  readonly place: ((statement: string) => Edit) | undefined;
  readonly extra: readonly Edit[];
}

/** A connection may be divided before it is opened, so this is done once, at the top. */
function beside(code: Code, call: Call, ancestors: readonly Node[]): Division | undefined {
  const { callee } = call;
  const whole =
    memberName(callee) === undefined
      ? wholeModule(code)
      : { name: code.of((callee as MemberExpression).object), extra: [] };
  if (!whole || !/^[\w$]+$/.test(whole.name)) return undefined;
  const division = { connection: `${whole.name}.connection`, extra: whole.extra };
  const top = ancestors[1];
  if (!top || ancestors.some(({ type }) => /Function|Method/.test(type))) {
    return { ...division, place: undefined };
  }
  return {
    ...division,
    place: (text) => insert(startOf(top), text + code.newline + code.indentAt(startOf(top))),
  };
}

/** `connect` was imported by its name: mongoose itself has to come along. */
function wholeModule(code: Code): { name: string; extra: Edit[] } | undefined {
  const declaration = code.program.body.find(
    (one) =>
      one.type === 'ImportDeclaration' &&
      one.source.value === 'mongoose' &&
      one.importKind !== 'type',
  );
  if (declaration?.type !== 'ImportDeclaration') return undefined;
  const other = declaration.specifiers.find(({ type }) => type !== 'ImportSpecifier');
  if (other) return { name: other.local.name, extra: [] };
  const [first] = declaration.specifiers;
  const brace = first && code.text.lastIndexOf('{', startOf(first));
  const name = freeName(code, 'mongoose');
  return brace === undefined ? undefined : { name, extra: [insert(brace, `${name}, `)] };
}

/** The innermost statement of a block around this. */
function statementIn(ancestors: readonly Node[]): Node | undefined {
  for (let index = ancestors.length - 1; index > 0; index--) {
    const [node, parent] = [ancestors[index], ancestors[index - 1]];
    if (parent?.type === 'BlockStatement' || parent?.type === 'Program') return node;
    if (node && /Function|Class/.test(node.type)) return undefined;
  }
  return undefined;
}

/** A connection that is put into a variable is divided in the next statement. */
function after(code: Code, ancestors: readonly Node[]): Division | undefined {
  const statement = statementIn(ancestors);
  if (!statement || !isAllOf(statement, ancestors)) return undefined;
  const connection = targetIn(code, statement);
  if (connection === undefined) return undefined;
  const at = code.lineEnd(endOf(statement));
  const indent = code.indentAt(startOf(statement));
  return { connection, extra: [], place: (text) => insert(at, code.newline + indent + text) };
}

/** Between the statement and the call is nothing that makes something else of the connection. */
function isAllOf(statement: Node, ancestors: readonly Node[]): boolean {
  return ancestors.slice(ancestors.indexOf(statement)).every((node) => {
    const member = memberName(node);
    return member === undefined ? bearing.test(node.type) : member === 'asPromise';
  });
}

const bearing =
  /^(Export|VariableDecl|ExpressionStatement|AssignmentExpr|AwaitExpr|CallExpr|Parenthesized|TS(As|Satisfies|NonNull))/;

function targetIn(code: Code, given: Node): string | undefined {
  const statement = given.type === 'ExportNamedDeclaration' ? given.declaration : given;
  if (statement?.type === 'VariableDeclaration') {
    const [only, ...others] = statement.declarations;
    return others.length === 0 && only?.id.type === 'Identifier' ? only.id.name : undefined;
  }
  if (statement?.type !== 'ExpressionStatement') return undefined;
  const { expression } = statement;
  return expression.type === 'AssignmentExpression' ? code.of(expression.left) : undefined;
}
