import { posix } from 'node:path';
import type { Code } from './code.ts';
import type { Edit } from './edits.ts';
import { freeName, loadEdit } from './loads.ts';
import { packageOf, type Package } from './packages.ts';
import type { Place } from './place.ts';
import { replace } from './object-edits.ts';
import { qualified } from './qualified.ts';
import { sharesOf, type Shares } from './shares.ts';
import type { Read, Survey } from './survey.ts';

export const configName = 'watertight.config.json';
const schema = './node_modules/watertight/schema/watertight.config.schema.json';

/** A pool, with how it is to be divided. */
export interface Division {
  readonly place: Place;
  /** Its section of the file; undefined when it is the only one. */
  readonly service: string | undefined;
  readonly shares: Shares;
}

/** What is to be changed. */
export interface Plan {
  readonly divisions: readonly Division[];
  readonly edits: ReadonlyMap<Read, readonly Edit[]>;
  /** What `watertight.config.json` is to be. */
  readonly config: string;
}

export function planOf({ files, packages }: Survey): Plan {
  const places = files.flatMap(({ found }) => found.places);
  const services = servicesOf(places, packages);
  const divisions = places.map((place) => ({
    place,
    service: services.size > 1 ? serviceOf(place, services) : undefined,
    shares: sharesOf(place.capacity),
  }));
  const changed = files.filter(({ found }) => found.places.length > 0);
  const edits = new Map(changed.map((file) => [file, editsOf(file, divisions)]));
  return { divisions, edits, config: configOf(divisions) };
}

function editsOf(file: Read, divisions: readonly Division[]): Edit[] {
  const { code } = file;
  const load = freeName(code, 'loadConfig');
  const own = divisions.filter(({ place }) => file.found.places.includes(place));
  const wirings = own.map(({ place, service }) => {
    const quote = quoteOf(code, place);
    const options = service === undefined ? '' : `{}, { service: ${quote}${service}${quote} }`;
    return place.wire(`${load}(${options})`);
  });
  const wired = wirings.flatMap(({ edits }) => edits);
  const below = unique(wirings.map((one) => one.below).filter((one) => one !== undefined));
  return unique([...wired, ...loadsOf(file, own, below)]);
}

/** The driver is taken from watertight, and what else is needed is loaded below it. */
function loadsOf({ code }: Read, own: readonly Division[], below: readonly string[]): Edit[] {
  const places = own.map(({ place }) => place);
  const [first] = places;
  if (!first) return [];
  const dropped = places.filter(({ dropsIn }) => dropsIn);
  const renamed = dropped.map((place) => {
    const { literal, module } = place.source;
    const quote = quoteOf(code, place);
    return replace(literal, `${quote}watertight/${module}${quote}`);
  });
  const types = dropped.map(({ source }) => qualified(code, source));
  const loads = unique([...types, ...places].flatMap((one) => one.loads));
  return [
    ...renamed,
    ...types.flatMap(({ edits }) => edits),
    loadEdit(code, first.source, loads, below),
  ];
}

const quoteOf = (code: Code, { source }: Place): string => code.of(source.literal)[0] ?? "'";

const unique = <T>(list: readonly T[]): T[] => [
  ...new Map(list.map((one) => [JSON.stringify(one), one])).values(),
];

/** A pool that is made in two places, in two branches for instance, is one. */
const keyOf = ({ file, name, capacity }: Place): string => [file, name, capacity].join('\n');

/** Names of sections: the package, the name of the pool, or its file; the first that tells all apart. */
function servicesOf(
  places: readonly Place[],
  packages: readonly Package[],
): ReadonlyMap<string, string> {
  const pools = [...new Map(places.map((place) => [keyOf(place), place]))];
  const candidates: readonly ((place: Place) => string)[] = [
    ({ file }) => posix.basename(packageOf(file, packages)?.folder ?? '.'),
    ({ name }) => name,
    ({ file }) => fileName(file),
    ({ file, name }) => `${fileName(file)}-${name}`,
    ({ file, line }) => `${fileName(file)}-${line}`,
    ({ file, line }) => `${file.replaceAll('/', '-')}-${line}`,
  ];
  const naming = candidates.find(
    (nameOf) => new Set(pools.map(([, place]) => nameOf(place))).size === pools.length,
  );
  return new Map(pools.map(([key, place]) => [key, naming?.(place) ?? key]));
}

/** `db` for `src/db.ts`, `src/db/index.ts` and `db/src/index.ts`. */
function fileName(file: string): string {
  const parts = file.replace(/\.\w+$/, '').split('/');
  return parts.findLast((part) => !['index', 'src', 'lib'].includes(part)) ?? 'index';
}

const serviceOf = (place: Place, services: ReadonlyMap<string, string>): string =>
  services.get(keyOf(place)) ?? place.name;

function configOf(divisions: readonly Division[]): string {
  const [first] = divisions;
  const sections = divisions.map((one) => [one.service, sectionOf(one)] as const);
  const content =
    first?.service === undefined ? sections[0]?.[1] : { services: Object.fromEntries(sections) };
  return `${JSON.stringify({ $schema: schema, ...content }, null, 2)}\n`;
}

const sectionOf = ({ place: { settings }, shares }: Division): object => ({
  ...settings,
  defaultPartition: Object.keys(shares)[0],
  partitions: shares,
});
