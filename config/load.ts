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
  const service = file ? chooseService(wanted, file, faults) : wanted;
  const layers = [
    readSection({ ...code }, { prefix: '', originOf: () => 'code' }, faults),
    file?.layerOf(service) ?? new Layer(),
    readEnvironment(env, faults),
  ];
  const layer = overlay(layers, faults);
  const found = faults.list;
  // What is missing because a place could not be read is no fault of its own.
  return { file, service, layer, faults: found.length > 0 ? found : check(layer) };
}

/** A place that names partitions after another has must mean some of those: a new one is a misspelt one. */
function overlay(layers: readonly Layer[], faults: Faults): Layer {
  return layers.reduce((all, stronger) => {
    const known = [...all.partitions.keys()];
    for (const [name, settings] of known.length > 0 ? stronger.partitions : []) {
      if (known.includes(name)) continue;
      const near = nearest(name, known);
      const hint = near ? `did you mean '${near}'?` : `there are ${known.join(', ')}`;
      faults.add(originOf(settings), `unknown partition '${name}'; ${hint}`);
    }
    return all.overlaidWith(stronger);
  });
}

const originOf = (settings: ReadonlyMap<string, Setting>): Origin =>
  settings.values().next().value?.origin ?? 'partitions';

/** The faults of what is left in the end, each with the place its value comes from. */
function check(layer: Layer): readonly Fault[] {
  const faults = new Faults();
  const { defaultPartition, ...rest } = configOf(layer);
  if (layer.partitions.size === 0) {
    const rule =
      'expected at least one, in code, in a configuration file (watertight.config.json, here or ' +
      'above) or in WATERTIGHT_PARTITIONS';
    return [{ path: 'partitions', rule }];
  }
  resolveInto(faults, rest);
  const names = [...layer.partitions.keys()];
  if (defaultPartition !== undefined && !names.includes(defaultPartition)) {
    faults.add('defaultPartition', `expected one of ${names.join(', ')}`, defaultPartition);
  }
  return faults.list.map((fault) => ({ ...fault, path: placed(fault.path, layer) }));
}

function placed(path: string, { scalars, partitions }: Layer): string {
  const [, name = '', option = ''] = /^partitions\.(.+?)(?:\.(\w+))?$/.exec(path) ?? [];
  const scalar = SCALARS.find((one) => one === path);
  const settings = partitions.get(name) ?? partitions.get(`${name}.${option}`);
  const setting = scalar ? scalars.get(scalar) : (settings?.get(option) ?? settings?.get('size'));
  return setting ? `${setting.origin}: ${path}` : path;
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
