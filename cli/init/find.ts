import type { Node } from '@babel/types';
import { byHandOf, pluginOf, type ByHand } from './by-hand.ts';
import type { Code } from './code.ts';
import { connectionPlace, connectsOf } from './mongoose.ts';
import type { Meaning } from './names.ts';
import type { Found } from './place.ts';
import { poolPlace, traitsOf, type Call } from './pools.ts';
import { lineOf, memberName, walk } from './walk.ts';

/** Tests and scripts: processes of their own, which have no callers to keep apart. */
const asideFolders =
  /(^|\/)(tests?|__tests__|__mocks__|e2e|specs?|cypress|fixtures|examples?|bench(marks?)?|scripts?|migrations?|seed(er)?s?)\//;
const asideFile = /([.-](test|spec|bench)|(^|\/)(seed|migrat)[\w-]*)\.[cm]?[jt]sx?$/;

const isAside = (file: string): boolean => asideFolders.test(file) || asideFile.test(file);

/**
 * What there is in a file.
 * @param evaluatedAnew its modules may be evaluated again while the process goes on
 */
export function find(code: Code, evaluatedAnew: boolean): Found {
  const found: Found = { places: [], divided: [], byHand: [], aside: [], mocks: [] };
  const dividesConnections = /['"]watertight\/mongoose['"]/.test(code.text);
  const at = (node: Node): { file: string; line: number } => ({
    file: code.file,
    line: lineOf(node),
  });

  const byHand = (node: Node, { what, page }: ByHand): void => {
    if (isAside(code.file)) found.aside.push({ ...at(node), what });
    else found.byHand.push({ ...at(node), what, page });
  };

  const call = (node: Call, meaning: Meaning, ancestors: readonly Node[]): void => {
    const traits = traitsOf(node, meaning);
    const connects = connectsOf(node, meaning);
    const what = traits?.what ?? `mongoose.${connects}`;
    if (isDivided(meaning) || (connects && dividesConnections)) {
      found.divided.push({ ...at(node), what: connects ? what : meaning.name });
    } else if (!traits && !connects) {
      const known = byHandOf(meaning, node.arguments[0]);
      if (known) byHand(node, known);
    } else if (isAside(code.file)) found.aside.push({ ...at(node), what });
    else {
      const place = traits
        ? poolPlace(code, node, ancestors, meaning, traits)
        : connectionPlace(code, node, ancestors, meaning, connects as 'connect', evaluatedAnew);
      if (place) found.places.push(place);
      else
        byHand(node, { what: `${what}: call partitionConnection on it`, page: 'docs/mongoose.md' });
    }
  };

  walk(code.program, (node, ancestors) => {
    if (node.type === 'NewExpression' || node.type === 'CallExpression') {
      const meaning = code.names.meaningOf(node.callee);
      if (meaning) call(node, meaning, ancestors);
      if (memberName(node.callee) === 'register') {
        const plugin = node.arguments[0] && code.names.meaningOf(node.arguments[0]);
        const known = plugin && pluginOf(plugin);
        if (known) byHand(node, known);
      }
      const mocked = mockedDriver(node);
      if (mocked) found.mocks.push({ ...at(node), what: mocked });
    } else if (isClass(node) && node.superClass) {
      const meaning = code.names.meaningOf(node.superClass);
      const known = meaning && (byHandOf(meaning, undefined) ?? subclassOf(meaning));
      if (known) byHand(node, known);
    } else if (
      node.type === 'ExportNamedDeclaration' &&
      node.source &&
      node.exportKind !== 'type'
    ) {
      const known = handedOn(node.source.value, node.specifiers);
      if (known) byHand(node, known);
    }
  });
  return found;
}

const isDivided = ({ source: { module }, name }: Meaning): boolean =>
  /^watertight\/(pg|mysql2)/.test(module) && /^(Pool|createPool|createPoolPromise)$/.test(name);

const isClass = (node: Node): node is Extract<Node, { superClass?: unknown }> =>
  node.type === 'ClassDeclaration' || node.type === 'ClassExpression';

function subclassOf({ source: { module }, name }: Meaning): ByHand | undefined {
  if (module !== 'pg' || name !== 'Pool') return undefined;
  return { what: "a class of its own: extend Pool of 'watertight/pg'", page: 'docs/pg.md' };
}

/** A module that is taken from here is divided where nobody sees it. */
function handedOn(module: string, specifiers: readonly Node[]): ByHand | undefined {
  const maker = module === 'pg' ? 'Pool' : 'createPool';
  if (module !== 'pg' && !/^mysql2(\/promise)?$/.test(module)) return undefined;
  const exported = specifiers.some(
    (one) =>
      one.type === 'ExportSpecifier' && one.exportKind !== 'type' && one.local.name === maker,
  );
  if (!exported) return undefined;
  return {
    what: `hands ${maker} on: take it from 'watertight/${module}'`,
    page: `docs/${module.split('/')[0]}.md`,
  };
}

/** The driver in `jest.mock('pg')`. */
function mockedDriver(call: Call): string | undefined {
  const [first] = call.arguments;
  if (first?.type !== 'StringLiteral' || !/^(pg|mysql2(\/promise)?)$/.test(first.value))
    return undefined;
  const member = memberName(call.callee) ?? '';
  return /^(mock|doMock|unstable_mockModule|module)$/.test(member) ? first.value : undefined;
}
