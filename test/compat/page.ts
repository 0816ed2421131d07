import {
  bundlers,
  drivers,
  runtimes,
  typescripts,
  rowsOf,
  unsupportedOf,
  versionOf,
  wiringOf,
  type Driver,
  type Row,
} from './catalog.ts';

const begin = '<!-- What follows is written by `npm run test:compat -- --write`. -->';

/** Names of the behaviours that hold, by row. */
export type Results = ReadonlyMap<string, readonly string[]>;

/** The page with its generated part made anew. */
export function updated(page: string, results: Results): string {
  const [head] = page.split(begin);
  const sections = [packaging(), ...drivers.map((driver) => section(driver, results))];
  return `${head}${begin}\n\n${sections.join('\n\n')}\n`;
}

function packaging(): string {
  const versions = (names: readonly string[]): string =>
    names.map((name) => `${name} ${versionOf(name)}`).join(', ');
  return `## Runtimes and bundlers

The same programs of pg and mysql2 run in ${versions(Object.keys(runtimes))}, and in Node when they were bundled and minified
by ${versions(bundlers)}. With webpack and rspack \`pg-native\`, which pg asks for only when it is wanted, has to be
external: \`externals: { 'pg-native': 'node-commonjs pg-native' }\`.

The types are checked without \`skipLibCheck\` by TypeScript ${typescripts.map(versionOf).join(', ')}, in ES modules and in
CommonJS, with the newest and with the oldest drivers and \`@types/pg\`.`;
}

function section(driver: Driver, results: Results): string {
  const rows = rowsOf(driver);
  const lines = [
    ...rows.map((row) => [titleOf(row), versionsOf(row), (results.get(row.name) ?? []).join(', ')]),
    ...unsupportedOf(driver).map((each) => [each.package, each.version, `no: ${each.reason}`]),
  ];
  const table = [['library', 'version', 'verified'], ['-', '-', '-'], ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
  return [`## ${driver} ${versionOf(driver)}`, table, ...rows.map(wiring)].join('\n\n');
}

function wiring(row: Row): string {
  const remark = row.remark ? `${row.remark}\n\n` : '';
  return `### ${titleOf(row)} (${row.driver})\n\n${remark}\`\`\`ts\n${wiringOf(row)}\n\`\`\``;
}

const titleOf = ({ title, packages: [first], name }: Row): string =>
  title ?? (name.endsWith(`${first}-promise`) ? `${first}, promise` : first!);

const versionsOf = ({ packages: [first, ...others] }: Row): string =>
  first === undefined
    ? 'of Node'
    : [versionOf(first), ...others.map((name) => `${name} ${versionOf(name)}`)].join(', ');
