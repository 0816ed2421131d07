import { createRequire } from 'node:module';
import { dirname, extname, join, relative, resolve } from 'node:path';
import { Faults, isPlainObject } from '../src/config.ts';
import { nearest } from '../src/nearest.ts';
import { Layer, type Origin } from './layer.ts';
import { locateMembers, repeatedRule } from './locate.ts';
import { NotJson, parseJson } from './parse-json.ts';
import { isThere, readText } from './read-text.ts';
import { readSection, type Place } from './section.ts';

/** In this order; a folder with two of them is a fault. */
const EXTENSIONS: readonly string[] = ['.json', '.js', '.mjs', '.cjs', '.ts', '.mts'];
const FILE_NAMES = EXTENSIONS.map((extension) => `watertight.config${extension}`);

/** A configuration file that has been read. */
export interface ConfigFile {
  readonly path: string;
  /** As messages name it: relative to the working folder, where that is shorter. */
  readonly name: string;
  readonly services: readonly string[];
  /** What it says for all services, overlaid with what it says for this one. */
  layerOf(service: string | undefined): Layer;
}

/** The file in this folder or in the nearest one above that has one. */
export function findFile(cwd: string, faults: Faults): string | undefined {
  const found = FILE_NAMES.map((name) => join(cwd, name)).filter(isThere);
  if (found.length > 1) {
    const names = found.map((path) => relative(cwd, path)).join(' and ');
    faults.add(cwd, `expected one configuration file, there are ${names}`);
  }
  const above = dirname(cwd);
  return found[0] ?? (above === cwd ? undefined : findFile(above, faults));
}

/** Undefined, and a fault, when it cannot be read. */
export function readFile(path: string, cwd: string, faults: Faults): ConfigFile | undefined {
  const absolute = resolve(cwd, path);
  const name = nameOf(absolute, cwd);
  let text: string;
  try {
    text = readText(absolute);
  } catch (error) {
    faults.add(name, (error as Error).message);
    return undefined;
  }
  const extension = extname(absolute).toLowerCase();
  if (!EXTENSIONS.includes(extension)) {
    faults.add(name, `expected a file that ends in ${EXTENSIONS.join(', ')}`);
    return undefined;
  }
  return extension === '.json'
    ? readJson(text, absolute, name, faults)
    : readModule(absolute, name, faults);
}

function readJson(
  text: string,
  path: string,
  name: string,
  faults: Faults,
): ConfigFile | undefined {
  let given: unknown;
  try {
    given = parseJson(text);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    faults.add(`${name}:${error.line}`, error.message);
    return undefined;
  }
  const { lines, repeated } = locateMembers(text);
  for (const each of repeated) {
    faults.add(`${name}:${each.line}: ${each.path}`, repeatedRule(each));
  }
  const originOf = (at: string): Origin => withLine(name, lines.get(at));
  return readServices(given, path, name, originOf, faults);
}

function readModule(path: string, name: string, faults: Faults): ConfigFile | undefined {
  try {
    const loaded: unknown = createRequire(path)(path);
    const given = isPlainObject(loaded) && 'default' in loaded ? loaded['default'] : loaded;
    return readServices(given, path, name, () => name, faults);
  } catch (error) {
    const where = withLine(name, lineInStack(error as Error, path));
    faults.add(where, `it cannot be loaded: ${explain(error as NodeJS.ErrnoException)}`);
    return undefined;
  }
}

/** Where the module itself threw, or could not be parsed. */
function lineInStack({ stack = '' }: Error, path: string): number | undefined {
  const at = stack.indexOf(`${path}:`);
  const line = at < 0 ? NaN : Number.parseInt(stack.slice(at + path.length + 1), 10);
  return Number.isInteger(line) ? line : undefined;
}

function explain({ code, message }: NodeJS.ErrnoException): string {
  if (code === 'ERR_REQUIRE_ASYNC_MODULE') return 'it awaits something at its top level';
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' || code === 'ERR_UNKNOWN_MODULE_FORMAT') {
    return `Node ${process.versions.node} does not read TypeScript; 22.18 and 24 do, and every Node reads .json and .js`;
  }
  return message;
}

function readServices(
  given: unknown,
  path: string,
  name: string,
  originOf: Place['originOf'],
  faults: Faults,
): ConfigFile | undefined {
  if (!isPlainObject(given)) {
    faults.add(name, 'expected an object with partitions or services', given);
    return undefined;
  }
  const own = new Faults();
  const shared = readSection(given, { prefix: '', originOf }, own, ['$schema', 'services']);
  const services = readEach(given['services'], originOf, own);
  for (const { path: at, rule, ...got } of own.list) {
    faults.add(`${originOf(at)}: ${at}`, rule, ...Object.values(got));
  }
  return {
    path,
    name,
    services: [...services.keys()],
    layerOf: (service) =>
      service === undefined ? shared : shared.overlaidWith(services.get(service) ?? new Layer()),
  };
}

function readEach(
  given: unknown,
  originOf: Place['originOf'],
  faults: Faults,
): ReadonlyMap<string, Layer> {
  const services = new Map<string, Layer>();
  if (given === undefined) return services;
  if (!isPlainObject(given))
    faults.add('services', 'expected an object of services by name', given);
  else {
    for (const [name, section] of Object.entries(given)) {
      const path = `services.${name}`;
      if (isPlainObject(section)) {
        services.set(name, readSection(section, { prefix: `${path}.`, originOf }, faults));
      } else faults.add(path, 'expected an object', section);
    }
  }
  return services;
}

/** Which section counts; undefined: there are none, or it is a fault. */
export function chooseService(
  wanted: string | undefined,
  { services, name }: ConfigFile,
  faults: Faults,
): string | undefined {
  if (wanted === undefined && services.length > 1) {
    faults.add(name, `expected WATERTIGHT_SERVICE to name one of ${services.join(', ')}`);
  }
  if (wanted === undefined) return services.length === 1 ? services[0] : undefined;
  if (services.length === 0 || services.includes(wanted)) return wanted;
  const near = nearest(wanted, services);
  const hint = near ? `did you mean '${near}'?` : `there are ${services.join(', ')}`;
  faults.add(name, `there is no service '${wanted}'; ${hint}`);
  return undefined;
}

const withLine = (name: string, line: number | undefined): string =>
  line === undefined ? name : `${name}:${line}`;

function nameOf(path: string, cwd: string): string {
  const short = relative(cwd, path);
  return short.length < path.length ? short : path;
}
