import type { CallExpression, NewExpression, Node } from '@babel/types';
import type { Code } from './code.ts';
import { insert, type Edit } from './edits.ts';
import type { Meaning } from './names.ts';
import { append, replace } from './object-edits.ts';
import { Options } from './options.ts';
import type { Place } from './place.ts';
import { nameOf } from './place-name.ts';
import { mended, placeFor, refusesTimeout } from './refused.ts';
import { endOf, keyOf, lineOf, memberName } from './walk.ts';

export type Call = CallExpression | NewExpression;

/** What `pg` and `mysql2` call things. */
export interface Traits {
  readonly driver: 'pg' | 'mysql2';
  readonly what: string;
  /** The options for the capacity. */
  readonly capacity: readonly string[];
  readonly defaultCapacity: number;
}

const pg: Traits = {
  driver: 'pg',
  what: 'new Pool',
  capacity: ['max', 'poolSize'],
  defaultCapacity: 10,
};
const mysql2: Traits = {
  driver: 'mysql2',
  what: 'createPool',
  capacity: ['connectionLimit'],
  defaultCapacity: 10,
};

export const usualTimeoutMillis = 2_000;

/** How a call that makes a pool is divided; undefined for any other call. */
export function traitsOf(call: Call, { source: { module }, name }: Meaning): Traits | undefined {
  const made = call.type === 'NewExpression';
  if (made && module === 'pg' && name === 'Pool') return pg;
  const creates = ['createPool', 'createPoolPromise'].includes(name);
  return !made && creates && /^mysql2(\/promise)?$/.test(module) ? mysql2 : undefined;
}

export function poolPlace(
  code: Code,
  call: Call,
  ancestors: readonly Node[],
  { source }: Meaning,
  traits: Traits,
): Place {
  const [first] = call.arguments;
  const options = new Options(first, code.program);
  const literal = options.own ? options.number(...traits.capacity) : undefined;
  const guess = options.fallback(...traits.capacity);
  return {
    driver: traits.driver,
    file: code.file,
    line: lineOf(call),
    what: traits.what,
    name: nameOf(ancestors, code.file),
    capacity: literal || guess || traits.defaultCapacity,
    origin: originOf(options, traits, literal),
    settings: {
      ...(literal !== undefined && { max: literal || traits.defaultCapacity }),
      ...(refusesTimeout(options, traits) && { acquireTimeoutMillis: usualTimeoutMillis }),
    },
    notes: [
      ...mended(code, options, traits).map(({ note }) => note),
      ...notesOn(code, options, traits),
    ],
    source,
    dropsIn: true,
    loads: [{ name: 'loadConfig', module: 'config' }],
    wire: (config) => ({
      edits: [
        ...mended(code, options, traits).flatMap(({ edits }) => edits),
        ...wired(code, call, options, traits, config),
      ],
    }),
  };
}

function originOf(
  options: Options,
  { capacity, driver, defaultCapacity }: Traits,
  literal?: number,
): string {
  const property = options.property(...capacity);
  if (literal !== undefined) return `${keyOf(property as Node)} ${literal}`;
  const name = capacity[0] as string;
  if (property) return `${keyOf(property)} is found out when it runs`;
  return options.partial
    ? `its ${name} is said elsewhere; ${defaultCapacity} is the default of ${driver}`
    : `the default of ${driver}, ${defaultCapacity}`;
}

/** The call as it takes its partitions. */
function wired(
  code: Code,
  call: Call,
  options: Options,
  traits: Traits,
  config: string,
): readonly Edit[] {
  const { given, object, own } = options;
  const [first] = call.arguments;
  if (!given || !first) {
    const hasParentheses = code.text[endOf(call) - 1] === ')';
    return [hasParentheses ? insert(endOf(call) - 1, config) : insert(endOf(call), `(${config})`)];
  }
  if (!object || !own) {
    const url = traits.driver === 'mysql2' && isUrl(code, options);
    return [replace(first, `{ ${url ? 'uri: ' : '...'}${code.of(first)}, ...${config} }`)];
  }
  if (object.properties.length === 0 && object === given) return [replace(object, config)];
  const place = placeFor(options, traits.capacity);
  if (place) return [replace(place, `...${config}`)];
  return append(code, object, `...${config}`);
}

/** mysql2 takes a URL in the place of options. */
function isUrl(code: Code, options: Options): boolean {
  const node = options.given;
  if (!node) return false;
  if (options.text(node) !== undefined) return true;
  const last = node.type === 'Identifier' ? node.name : memberName(node);
  return (
    /^process\.env\b/.test(code.of(node)) || /(url|uri|dsn|connectionstring)$/i.test(last ?? '')
  );
}

function notesOn(code: Code, options: Options, traits: Traits): string[] {
  const notes: string[] = [];
  const name = traits.capacity[0] as string;
  const timeout = options.property('connectionTimeoutMillis');
  if (timeout && refusesTimeout(options, traits)) {
    notes.push(
      `connectionTimeoutMillis is ${code.of(timeout.value)}; acquireTimeoutMillis ${usualTimeoutMillis} in watertight.config.json counts instead`,
    );
  }
  if (!options.property(...traits.capacity) && options.partial) {
    notes.push(
      `look where its options come from: the sizes must not add up to more than its ${name}`,
    );
  } else if (
    options.property(...traits.capacity) &&
    options.number(...traits.capacity) === undefined
  ) {
    notes.push(`the sizes must not add up to more than ${name}, wherever it runs`);
  }
  if (options.number('queueLimit') === 0) {
    notes.push(
      'queueLimit: 0 leaves the line without an end; without it, it is 100 for each partition',
    );
  }
  return notes;
}
