import {
  drivers,
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
  return `${head}${begin}\n\n${drivers.map((driver) => section(driver, results)).join('\n\n')}\n`;
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

const titleOf = ({ packages: [first], name }: Row): string =>
  name.endsWith(`${first}-promise`) ? `${first}, promise` : first!;

const versionsOf = ({ packages: [first, ...others] }: Row): string =>
  [versionOf(first!), ...others.map((name) => `${name} ${versionOf(name)}`)].join(', ');
