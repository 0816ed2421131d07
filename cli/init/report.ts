import { join } from 'node:path';
import { paint, wrap, type Look } from '../text.ts';
import { newFileDiff, unifiedDiff } from './diff.ts';
import { addCommand, packageOf, upgradesOf, type Upgrade } from './packages.ts';
import { encode, type Survey } from './survey.ts';
import type { Other } from './place.ts';
import { configName, type Division, type Plan } from './plan.ts';

/** The pools, what becomes of them, and the changes as a diff. */
export function proposal(plan: Plan, look: Look): string {
  const pools = plan.divisions.map((one) => division(one, look));
  const diffs = [
    newFileDiff(configName, plan.config),
    ...[...plan.edits].map(([file, edits]) =>
      unifiedDiff(file.code.file, encode(file.code.text, file), edits),
    ),
  ];
  return [...pools, '', ...diffs.map((diff) => coloured(diff, look))].join('\n');
}

function division({ place, service, shares }: Division, look: Look): string {
  const sizes = Object.entries(shares).map(([name, size]) => `${name} ${size}`);
  const section = service === undefined ? '' : ` (service ${service})`;
  return [
    `${paint(look, 'bold', where(place))}  ${place.what}${section}: ${sizes.join(', ')}; ${place.origin}`,
    ...[...place.notes, ...(sizes.length > 1 ? [] : [single])].map((note) => indented(note, look)),
  ].join('\n');
}

const single = 'one connection cannot be divided: let there be more';

const where = ({ file, line }: { readonly file: string; readonly line: number }): string =>
  `${file}:${line}`;

const indented = (note: string, look: Look): string =>
  wrap(note, look.columns - 4).replaceAll(/^/gm, '    ');

function coloured(diff: string, look: Look): string {
  if (!look.colour) return diff;
  return diff.replaceAll(/^.+$/gm, (line) => {
    if (/^(---|\+\+\+) /.test(line)) return paint(look, 'bold', line);
    if (line.startsWith('@@')) return paint(look, 'cyan', line);
    if (line.startsWith('+')) return paint(look, 'green', line);
    return line.startsWith('-') ? paint(look, 'red', line) : line;
  });
}

/** What stays as it is, and why. */
export function leftovers({ files }: Survey, look: Look): string {
  const all = files.map(({ found }) => found);
  const [hand, divided] = [all.flatMap((one) => one.byHand), all.flatMap((one) => one.divided)];
  const [aside, mocks] = [all.flatMap((one) => one.aside), all.flatMap((one) => one.mocks)];
  return [
    list(
      'To be divided by hand:',
      hand.map((one) => `${told(one)} (${one.page})`),
      look,
    ),
    list('Divided already:', divided.map(told), look),
    list('Tests and scripts, left as they are:', aside.map(told), look),
    list(
      "Mocks that no longer reach a pool that comes from 'watertight/…':",
      mocks.map(told),
      look,
    ),
  ].join('');
}

const told = (other: Other): string => `${where(other)}  ${other.what}`;

const list = (title: string, lines: readonly string[], look: Look): string =>
  lines.length === 0 ? '' : `${[paint(look, 'bold', title), ...lines].join('\n  ')}\n\n`;

/** What remains to be done by people. */
export function nextSteps(plan: Plan, folder: string, found: Survey, look: Look): string {
  const steps = [
    ...installs(plan, folder, found),
    `Choose the sizes; those above are a beginning. In use on average are arrivals per second × ` +
      `seconds a connection is held; add half for bunches: 40 requests/s of 150 ms are 6, so size 8 or 9. ` +
      `A batch gets what it may slow the server down with.`,
    ...(plan.divisions.some(({ shares }) => 'batch' in shares) ? [callers] : []),
    `Where the service runs, ${configName} has to be in its working folder or above: copy it into the image.`,
    'npx watertight config --check, then npx watertight rehearse',
  ];
  const lines = steps.map((step, index) => {
    const text = wrap(step, look.columns - 5).replaceAll('\n', '\n     ');
    return `  ${index + 1}. ${text}`;
  });
  return [paint(look, 'bold', 'Next'), ...lines, ''].join('\n');
}

const callers =
  `Say who is batch: all calls go to web until they are told otherwise, as by ` +
  `runIn('batch', () => report()) of watertight, or on pool.partition('batch').`;

/** The drivers that are too old come along; another major version is more than a command. */
function installs({ divisions }: Plan, folder: string, { packages }: Survey): string[] {
  const used = new Map<string, Set<string>>();
  for (const { place } of divisions) {
    const inFolder = packageOf(place.file, packages)?.folder ?? '.';
    used.set(inFolder, (used.get(inFolder) ?? new Set()).add(place.driver));
  }
  return [...used].flatMap(([at, drivers]) => {
    const own = packages.find((one) => one.folder === at);
    const upgrades = own ? upgradesOf(folder, own, drivers) : [];
    const command = [addCommand(join(folder, at)), 'watertight', ...upgrades.map(({ to }) => to)];
    return [command.join(' ') + (at === '.' ? '' : ` (in ${at})`), ...upgrades.flatMap(major)];
  });
}

const major = ({ name, from, to }: Upgrade): string[] =>
  from === undefined ? [] : [`${name} ${from} is too old: mind what changed up to ${to}.`];

/** Why there is nothing to divide. */
export function why({ packages, files, faults }: Survey): string {
  if (faults.length > 0) return 'no pool was found in the files that could be read';
  const drivers = ['pg', 'mysql2', 'mongoose'];
  const depends = packages.some(({ dependencies }) =>
    drivers.some((name) => dependencies.has(name)),
  );
  if (!depends) return `package.json depends on none of ${drivers.join(', ')}`;
  return files.some(({ found }) => found.byHand.length > 0)
    ? 'there is no pool that init can divide; those above are for you'
    : 'no new Pool(), createPool() or mongoose.connect() was found';
}
