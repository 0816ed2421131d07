import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { url } from '../support/pg.ts';
import { holding } from '../rehearsal/rehearsals.ts';
import { noStack, Sandbox, type Ended } from './cli.ts';
import { writeMonthEnd } from './short-scenario.ts';
import { SmallDisk, whyNoSmallDisk } from './small-disk.ts';

const outputs = ['json', 'junit', 'html'] as const;

let sandbox: Sandbox;
let scenario: string;
beforeEach(() => {
  sandbox = new Sandbox();
  scenario = writeMonthEnd(sandbox.folder, [1, 3, 1]);
});
afterEach(() => sandbox.clear());

const rehearse = (files: Partial<Record<(typeof outputs)[number], string>>): string[] => [
  ...['rehearse', scenario, '--time-scale', '0.05', '--url', url()],
  ...Object.entries(files).flatMap(([name, file]) => [`--${name}`, file]),
];

/** Table, objectives and verdict, whatever they say. */
function expectVerdict(text: string): void {
  expect(text).toContain('partitioned: partitions and reports');
  expect(text).toContain('order answered in time');
  expect(text).toMatch(/The walls (do not )?hold|proved nothing|Void: nothing is proven/);
}

function expectWhole(name: (typeof outputs)[number], text: string): void {
  if (name === 'json') expect(JSON.parse(text)).toHaveProperty('runs.2.name', 'partitioned');
  else expect(text).toMatch(name === 'html' ? /<\/html>\s*$/ : /<\/testsuites>\s*$/);
}

const faultsIn = ({ stderr }: Ended): string[] =>
  stderr.split('\n').filter((line) => line.includes('cannot write'));

describe('a disk that is full when the rehearsal is done', () => {
  test.each(outputs)(
    'costs the file of --%s, and neither the verdict nor the others',
    async (name) => {
      const beside = (each: string): string => join(sandbox.folder, each);
      const files = { json: beside('r.json'), junit: beside('r.xml'), html: beside('r.html') };
      const ended = await sandbox.run(...rehearse({ ...files, [name]: '/dev/full' }));
      expect(faultsIn(ended)).toEqual([
        expect.stringMatching(`^watertight: --${name}: cannot write /dev/full: .*no space left`),
      ]);
      expect(ended.code).toBe(2);
      expectVerdict(ended.stdout);
      for (const other of outputs.filter((each) => each !== name)) {
        expectWhole(other, readFileSync(files[other], 'utf8'));
      }
      expect(existsSync(files[name])).toBe(false);
    },
  );

  test('is not taken for a document on stdout', async () => {
    const stdout = openSync('/dev/full', 'w');
    const ended = await sandbox.startWith({ stdout }, ...rehearse({ json: '-' })).ended;
    closeSync(stdout);
    expect(ended.stderr).toMatch(/watertight: --json: cannot write stdout: .*no space left/);
    expect(ended.code).toBe(2);
    expectVerdict(ended.stderr);
  });
});

describe('stdout', () => {
  const onFull = async (...args: string[]): Promise<Ended> => {
    const stdout = openSync('/dev/full', 'w');
    const ended = await sandbox.startWith({ stdout, cwd: sandbox.folder }, ...args).ended;
    closeSync(stdout);
    return ended;
  };
  const fault = 'watertight: cannot write stdout: no space left on device\n';

  test('that is full does not cost the verdict, which is then on stderr', async () => {
    const html = join(sandbox.folder, 'r.html');
    const { code, stderr } = await onFull(...rehearse({ html }));
    expectVerdict(stderr);
    expect(stderr.endsWith(`\nwrote ${html}\n${fault}`)).toBe(true);
    expect(code).toBe(2);
    expectWhole('html', readFileSync(html, 'utf8'));
  });

  test.each([
    'scenarios',
    'scenarios month-end',
    'config',
    '--help',
    'help',
    '--version',
    'compare',
  ])('that is full is an error of: %s', async (line) => {
    const config = join(sandbox.folder, 'watertight.config.json');
    writeFileSync(config, '{ "partitions": { "order": 8 } }');
    const result = join(sandbox.folder, 'r.json');
    writeFileSync(result, JSON.stringify(holding));
    const files = line === 'compare' ? [result, result] : [];
    const { code, stderr } = await onFull(...line.split(' '), ...files);
    expect([code, stderr]).toEqual([2, fault]);
  });

  test('whose reader has hung up is none', async () => {
    const { child, ended } = sandbox.start('scenarios');
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: '' });
  });
});

test('every file that was written is told at the end, one in a line', async () => {
  const beside = (each: string): string => join(sandbox.folder, each);
  const files = { json: beside('r.json'), junit: beside('r.xml'), html: beside('r.html') };
  const { stderr } = await sandbox.run(...rehearse(files));
  const wrote = Object.values(files).map((file) => `wrote ${file}\n`);
  expect(stderr.endsWith(`\n${wrote.join('')}`)).toBe(true);
  expect((await sandbox.run(...rehearse({ json: '-' }))).stderr).not.toContain('wrote');
});

const why = whyNoSmallDisk();
const onSmallDisk = why === undefined ? describe : describe.skip;

onSmallDisk(
  `a file system ${why === undefined ? '' : `(skipped, as none can be had: ${why})`}`,
  () => {
    let disk: SmallDisk;
    beforeEach(() => {
      disk = new SmallDisk(join(sandbox.folder, 'disk'));
    });
    afterEach(() => disk.remove());

    test('whose space runs out keeps the earlier reports, and no half of a new one', async () => {
      const on = (each: string): string => join(disk.folder, each);
      const files = { json: on('r.json'), junit: on('r.xml'), html: on('r.html') };
      for (const file of Object.values(files)) writeFileSync(file, 'earlier');
      const { says, ended } = sandbox.start(...rehearse(files));
      await says('1/3 shared');
      disk.fill();
      const result = await ended;
      expect(faultsIn(result)).toEqual(
        outputs.map((name) =>
          expect.stringMatching(
            `--${name}: cannot write ${files[name]}: .*no space left on device`,
          ),
        ),
      );
      expect(result.stderr).not.toMatch(noStack);
      expect(result.code).toBe(2);
      expectVerdict(result.stdout);
      expect(readdirSync(disk.folder).toSorted()).toEqual(['filler', 'r.html', 'r.json', 'r.xml']);
      for (const file of Object.values(files)) expect(readFileSync(file, 'utf8')).toBe('earlier');
    });

    test('that is read-only is told before the rehearsal', async () => {
      disk.makeReadOnly();
      const file = join(disk.folder, 'r.html');
      const { code, stdout, stderr } = await sandbox.run(...rehearse({ html: file }));
      expect(stderr).toMatch(
        /^watertight: --html: cannot write .*r\.html: .*read-only file system/,
      );
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect([code, stdout]).toEqual([2, '']);
    });
  },
);

test('every file that cannot be written is told at once, before the rehearsal', async () => {
  const { folder } = sandbox;
  symlinkSync('loop', join(folder, 'loop'));
  const files = { json: join(folder, 'no/r.json'), junit: join(folder, 'loop'), html: folder };
  const { code, stdout, stderr } = await sandbox.run(...rehearse(files));
  expect(stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^watertight: --json: cannot write .*no\/r\.json: there is no such folder$/,
    ),
    expect.stringMatching(/^--junit: cannot write .*loop: .*too many symbolic links/),
    expect.stringMatching(/^--html: cannot write .*: it is a directory$/),
  ]);
  expect([code, stdout]).toEqual([2, '']);
  expect(await sandbox.leftovers()).toEqual(['loop', 'short-month-end.json']);
});

test('a link leads to the file that is written, be it there or not', async () => {
  const { folder } = sandbox;
  mkdirSync(join(folder, 'all'));
  writeFileSync(join(folder, 'all/old.html'), 'earlier');
  symlinkSync('all/old.html', join(folder, 'latest.html'));
  symlinkSync('all/new.json', join(folder, 'latest.json'));
  const files = { json: join(folder, 'latest.json'), html: join(folder, 'latest.html') };
  await sandbox.run(...rehearse(files));
  rmSync(files.json);
  rmSync(files.html);
  expect(readdirSync(join(folder, 'all')).toSorted()).toEqual(['new.json', 'old.html']);
  expectWhole('json', readFileSync(join(folder, 'all/new.json'), 'utf8'));
  expectWhole('html', readFileSync(join(folder, 'all/old.html'), 'utf8'));
});
