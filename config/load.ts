import { resolve } from 'node:path';
import { Faults, resolveInto } from '../src/config.ts';
import { ConfigError, type Fault } from '../src/errors.ts';
import { nearest } from '../src/nearest.ts';
import {
  FILE_VARIABLE,
  read,
  readEnvironment,
  SERVICE_VARIABLE,
  type Environment,
} from './environment.ts';
import { chooseService, findFile, readFile, type ConfigFile } from './file.ts';
import { Layer, SCALARS, type Origin, type ServiceConfig, type Setting } from './layer.ts';
import { readSection } from './section.ts';

export interface LoadOptions {
  /** @defaultValue `WATERTIGHT_SERVICE`; else the only service of the file, if it has just one */
  service?: string | undefined;
  /** @defaultValue `WATERTIGHT_CONFIG`; else `watertight.config.json`, `.js` or `.ts` here or above */
  file?: string | undefined;
  /** @defaultValue `process.env` */
  env?: Environment | undefined;
  /** Where files are looked for. @defaultValue the working folder of the process */
  cwd?: string | undefined;
}

/** Everything that was found, and where. */
export interface Loaded {
  readonly file: ConfigFile | undefined;
  readonly service: string | undefined;
  readonly layer: Layer;
  readonly faults: readonly Fault[];
}

/**
 * What counts for a service: the environment before the service's section of the configuration file,
 * before what the file says for all services, before `code`, option by option.
 *
 * @example
 * const pool = new Pool({ connectionString, ...loadConfig({ max: 20, partitions: { order: 8 } }) });
 *
 * @param code what the service itself says; its partitions are then all there are
 * @throws `ERR_CONFIG` with every fault at once, and where it is
 */
export function loadConfig<Name extends string = string>(
  code: ServiceConfig<Name> = {},
  options: LoadOptions = {},
): ServiceConfig<Name> & { partitions: NonNullable<ServiceConfig<Name>['partitions']> } {
  const { layer, faults } = load(code, options);
  if (faults.length > 0) throw new ConfigError(faults);
  return configOf(layer) as ReturnType<typeof loadConfig<Name>>;
}

/** As `loadConfig`, but tells the faults and the origins of what it found. */
export function load(code: ServiceConfig, options: LoadOptions): Loaded {
  const { env = process.env } = options;
  const cwd = resolve(options.cwd ?? '');
  const faults = new Faults();
  const path = options.file ?? read(env, FILE_VARIABLE) ?? findFile(cwd, faults);
  const file = path === undefined ? undefined : readFile(path, cwd, faults);
  const wanted = options.service ?? read(env, SERVICE_VARIABLE);
  const before = faults.list.length;
  const service = file ? chooseService(wanted, file, faults) : wanted;
  const isRead = path === undefined || file !== undefined;
  const isAll = isRead && faults.list.length === before;
  const environment = readEnvironment(env, faults);
  const layers = [
    readSection({ ...code }, { prefix: '', originOf: () => 'code' }, faults),
    file?.layerOf(service) ?? new Layer(),
    environment,
  ];
  const layer = overlay(layers, faults);
  const found = faults.list;
  // The environment counts whatever the others say that could not be read.
  const wrong = check(isAll ? layer : environment, isAll);
  const own = wrong.filter((fault) => !followsFrom(found, fault));
  return { file, service, layer, faults: [...found, ...own.map((fault) => placed(fault, layer))] };
}

/** A place that names partitions after another has must mean some of those: a new one is a misspelt one. */
function overlay(layers: readonly Layer[], faults: Faults): Layer {
  return layers.reduce((all, stronger) => {
    const known = [...all.partitions.keys()];
    const both = all.overlaidWith(stronger);
    for (const [name, origin] of known.length > 0 ? stronger.names : []) {
      if (known.includes(name)) continue;
      const near = nearest(name, known);
      const hint = near ? `did you mean '${near}'?` : `there are ${known.join(', ')}`;
      faults.add(origin, `unknown partition '${name}'; ${hint}`);
      both.remove(name);
    }
    return both;
  });
}

const NOWHERE: Fault = {
  path: 'partitions',
  rule:
    'expected at least one, in code, in a configuration file (watertight.config.json, here or ' +
    'above) or in WATERTIGHT_PARTITIONS',
};

/**
 * What is wrong in the end.
 * @param isAll whether there is nothing else that counts; if there is, it may have what is missing
 */
function check(layer: Layer, isAll: boolean): readonly Fault[] {
  const faults = new Faults();
  const { defaultPartition, ...config } = configOf(layer);
  resolveInto(faults, isAll ? config : { max: Number.MAX_SAFE_INTEGER, ...config });
  const names = [...layer.partitions.keys()];
  if (names.length === 0) {
    const others = faults.list.filter(({ path }) => path !== 'partitions');
    return isAll ? [NOWHERE, ...others] : others;
  }
  if (isAll && defaultPartition !== undefined && !names.includes(defaultPartition)) {
    faults.add('defaultPartition', `expected one of ${names.join(', ')}`, defaultPartition);
  }
  return faults.list;
}

/** What is missing may stand there, misspelt, and have been told as a fault already. */
function followsFrom(found: readonly Fault[], fault: Fault): boolean {
  if (fault === NOWHERE) {
    return found.some(
      ({ path, rule }) =>
        /(partitions|services(\.[^.]+)?)$/i.test(path) || /partitions|services/i.test(rule),
    );
  }
  if (!('got' in fault) || fault.got !== undefined) return false;
  const [parent, option] = splitPath(fault.path);
  return found.some(({ path, rule }) => {
    return splitPath(path)[0].endsWith(parent) && rule.includes(option);
  });
}

function splitPath(path: string): [string, string] {
  const dot = path.lastIndexOf('.');
  return [path.slice(0, dot), path.slice(dot + 1)];
}

function placed(fault: Fault, layer: Layer): Fault {
  const origin = fault.path === 'partitions' ? originOfSum(layer) : originAt(fault.path, layer);
  return origin === undefined ? fault : { ...fault, path: `${origin}: ${fault.path}` };
}

/** Of an option that is not given: where its partition is named. */
function originAt(path: string, { scalars, partitions, names }: Layer): Origin | undefined {
  const scalar = SCALARS.find((one) => one === path);
  if (scalar) return scalars.get(scalar)?.origin;
  const [, whole = '', name = '', option = ''] =
    /^partitions\.((.+?)(?:\.(\w+))?)$/.exec(path) ?? [];
  return partitions.get(name)?.get(option)?.origin ?? names.get(name) ?? names.get(whole);
}

/** The sizes and the max that they do not fit into: of each place the first of them. */
function originOfSum({ scalars, partitions }: Layer): Origin | undefined {
  const sizes = [...partitions.values()].map((settings) => settings.get('size'));
  const places = new Map<string, Origin>();
  for (const setting of [scalars.get('max'), ...sizes]) {
    if (setting === undefined) continue;
    const place = setting.origin.replace(/:\d+$/, '');
    if (!places.has(place)) places.set(place, setting.origin);
  }
  return places.size === 0 ? undefined : [...places.values()].join(' and ');
}

/** As a pool takes it. */
export function configOf({ scalars, partitions }: Layer): ServiceConfig {
  return Object.fromEntries([
    ...[...scalars].map(([name, { value }]) => [name, value]),
    ['partitions', Object.fromEntries([...partitions].map(([name, one]) => [name, plain(one)]))],
  ]) as ServiceConfig;
}

const plain = (settings: ReadonlyMap<string, Setting>): Record<string, unknown> =>
  Object.fromEntries([...settings].map(([option, { value }]) => [option, value]));
