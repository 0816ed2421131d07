import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { folder } from '../config/folder.ts';
import { noStack, Sandbox } from './cli.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.clear());

describe('wrong usage exits with 2 and says all that is wrong', () => {
  test.each<[string, RegExp[]]>([
    ['', [/no command given/]],
    ['rehears', [/unknown command 'rehears'; did you mean rehearse\?/]],
    ['rehearse --ulr=postgres://u:s3cret@h/d', [/unknown option --ulr; did you mean --url\?/]],
    ['rehearse --check', [/--check is an option of config, not of rehearse/]],
    ['config --url x', [/--url is an option of rehearse, not of config/]],
    ['compare', [/expected: watertight compare BEFORE.json AFTER.json/]],
    ['compare a.json', [/expected: watertight compare/]],
    ['compare a.json b.json c.json', [/unexpected argument 'c.json'/]],
    ['compare a.json b.json --json c.json', [/--json is an option of rehearse, not of compare/]],
    ['confg', [/unknown command 'confg'; did you mean config\?/]],
    ['init a b', [/unexpected argument 'b'/]],
    ['init --check', [/--check is an option of config, not of init/]],
    ['config --write', [/--write is an option of init, not of config/]],
    ['rehearse --scale 0.1', [/unknown option --scale/]],
    ['rehearse -x', [/unknown option -x/]],
    ['rehearse postgres://u:s3cret@h/d', [/there is no scenario 'postgres:\/\/u:\*\*\*@h\/d'/]],
    ['rehearse month-end slow-search', [/unexpected argument 'slow-search'/]],
    ['config month-end', [/unexpected argument 'month-end'/]],
    ['rehearse slow-serach', [/no scenario 'slow-serach'; did you mean slow-search\?/]],
    ['rehearse outage', [/there are month-end, slow-search, .*, or name a \.json file/]],
    ['rehearse /nonexistent/mine.json', [/mine\.json: there is no such file/]],
    ['rehearse outage --max 0', [/no scenario 'outage'/, /--max: /]],
    ['rehearse --seed x', [/--seed: expected a whole number from 0 to 4294967295, got 'x'/]],
    ['scenarios --seed 1', [/--seed is an option of rehearse, not of scenarios/]],
    ['scenarios --file x', [/--file is an option of rehearse, config, not of scenarios/]],
    ['scenarios leaky', [/no scenario 'leaky'; did you mean leaky-client\?/]],
    ['rehearse --json', [/--json needs a value/]],
    ['rehearse --json --max 3', [/--json needs a value/]],
    ['rehearse --url=', [/--url needs a value/]],
    ['rehearse --max 2 --max 3', [/--max is given twice/]],
    ['rehearse --without-walls=yes', [/--without-walls takes no value/]],
    [
      'rehearse --max 0 --time-scale fast --driver mysql --partitions order,search=8',
      [
        /--max: .*got '0'/,
        /--time-scale: .*got 'fast'/,
        /--driver: expected pg, mysql2, mongoose, got 'mysql'/,
        /got 'order'/,
      ],
    ],
    ['rehearse --time-scale 0.001', [/--time-scale: expected a number from 0.02 to 1/]],
    ['rehearse --time-scale 2', [/--time-scale: expected a number from 0.02 to 1/]],
    ['rehearse --max 1e3', [/--max: expected a whole number/]],
    ['rehearse --without-walls --partitions order=8', [/exclude each other/]],
    ['rehearse --partitions order=1,order=2', [/'order' is given twice/]],
    ['rehearse --partitions order=8,seach=8,batch=4', [/has order, search, batch/]],
    ['rehearse --partitions order=8,search=8,batch=5', [/8 \+ 8 \+ 5 = 21/]],
    ['rehearse --partitions order=8..4,search=8..30,batch=4', [/order.max/, /search.max/]],
    ['rehearse --url localhost', [/the URL cannot be read; expected postgres:/]],
    ['rehearse --url mysql://u:s3cret@h/d', [/not the URL of a PostgreSQL server/]],
    ['rehearse --driver mysql2 --url mongodb://u:s3cret@h/d', [/not the URL of a MySQL server/]],
    ['rehearse --driver mongoose --url mysql://u:s3cret@h/d', [/not the URL of a MongoDB server/]],
    ['rehearse leaky-client --driver mongoose', [/batch has leak, which mongoose cannot play/]],
    ['rehearse --driver mysql2 --partitions order=8,search=8,batch=5', [/8 \+ 8 \+ 5 = 21/]],
    ['rehearse --driver mongoose --partitions order=8,search=8,batch=5', [/8 \+ 8 \+ 5 = 21/]],
    ['rehearse --json /nonexistent/r.json', [/--json: cannot write/]],
    ['rehearse --junit /nonexistent/r.xml', [/--junit: cannot write/]],
    ['rehearse --junit -', [/--junit: expected a file, got '-'/]],
    ['rehearse --junit r --json r', [/--junit and --json name the same file/]],
    ['rehearse --json /', [/it is a directory/]],
    ['rehearse --html', [/--html needs a value/]],
    ['rehearse --html - --max 0', [/--html: expected a file, got '-'/, /--max/]],
    ['rehearse --html a --json ./a', [/--html and --json name the same file/]],
    ['rehearse --html /nonexistent/r.html', [/--html: cannot write/]],
    ['config --html r.html', [/--html is an option of rehearse, not of config/]],
  ])('watertight %s', async (line, wanted) => {
    const { code, stdout, stderr } = await sandbox.run(...line.split(' ').filter(Boolean));
    for (const words of wanted) expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(noStack);
    expect(stderr).not.toContain('s3cret');
    expect([code, stdout]).toEqual([2, '']);
    expect(await sandbox.leftovers()).toEqual([]);
  });
});

test.each([
  // Who knows which file was meant.
  ['--max 0', 'earlier'],
  ['--partitions order=8,search=8,batch=5', '8 + 8 + 5 = 21'],
  ['--json /nonexistent/r.json', '--json: cannot write'],
])('with %s the JUnit report of an earlier rehearsal becomes: %s', async (line, wanted) => {
  using made = folder({ 'r.xml': 'earlier' });
  const junit = `${made.path}/r.xml`;
  expect((await sandbox.run('rehearse', '--junit', junit, ...line.split(' '))).code).toBe(2);
  expect(readFileSync(junit, 'utf8')).toContain(wanted);
});

test('every fault of a scenario file is told with its line, and nothing is played', async () => {
  using made = folder({
    'mine.json': `{
  "name": "mine", "description": "Mine.",
  "max": 4,
  "partitions": { "api": 3, "etl": 2 },
  "phases": [{ "name": "all", "durationMillis": 0, "partitions": ["api", "etl"] }],
  "workloads": [
    { "kind": "workers", "partition": "etl", "worker": 2, "workers": 2,
      "holdMillis": 100, "comeBackMillis": 100 },
    { "kind": "arrivals", "partition": "api", "ratePerSecond": -5,
      "holdMillis": 100, "answerWithinMillis": 500 }
  ]
}`,
  });
  const file = `${made.path}/mine.json`;
  const { code, stdout, stderr } = await sandbox.run('rehearse', file);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.split('\n')).toEqual([
    `watertight: ${file}:4: partitions: the sizes add up to 3 + 2 = 5, more than max = 4`,
    `${file}:5: phases.0.durationMillis: expected a number above 0, got 0`,
    `${file}:7: workloads.0.worker: unknown option; did you mean 'workers'?`,
    `${file}:9: workloads.1.ratePerSecond: expected a number above 0, got -5`,
    '',
  ]);
});

describe('the faults of the command line, of files and of sizes', () => {
  const hint = '(watertight --help lists the options)';

  test('are told at once, with a hint at the options', async () => {
    using made = folder({ 'mine.json': '{\n  "name":\n}' });
    const file = `${made.path}/mine.json`;
    const line = `rehearse ${file} --nonsense --seed x --time-scale -1 --html /nonexistent/r.html`;
    const { code, stderr } = await sandbox.run(...line.split(' '));
    expect(stderr.split('\n')).toEqual([
      'watertight: unknown option --nonsense',
      "--time-scale: expected a number from 0.02 to 1, got '-1'",
      "--seed: expected a whole number from 0 to 4294967295, got 'x'",
      '--html: cannot write /nonexistent/r.html: there is no such folder',
      `${file}:3: this is not JSON: Unexpected token '}'`,
      hint,
      '',
    ]);
    expect(code).toBe(2);
  });

  test('are told at once when the sizes do not fit and the names are others', async () => {
    const line = 'rehearse --partitions ordre=8,search=8,batch=50 --json /nonexistent/r.json';
    const { stderr } = await sandbox.run(...line.split(' '));
    expect(stderr.split('\n')).toEqual([
      'watertight: partitions: scenario month-end has order, search, batch, got ordre, search, batch',
      'partitions: the sizes add up to 8 + 8 + 50 = 66, more than max = 20',
      '--json: cannot write /nonexistent/r.json: there is no such folder',
      '',
    ]);
  });

  test('are without those that follow from a scenario that is not known', async () => {
    const line = 'rehearse no.json --partitions shop=9 --max 3';
    expect((await sandbox.run(...line.split(' '))).stderr).toBe(
      'watertight: no.json: there is no such file\n',
    );
  });

  test.each(['rehearse no.json', 'compare no.json no.json', 'rehearse --file no.json'])(
    'are without the hint when they are only in a file: %s',
    async (line) => {
      const { code, stderr } = await sandbox.run(...line.split(' '));
      expect(stderr).toContain('no.json: there is no such file\n');
      expect(stderr).not.toContain(hint);
      expect(code).toBe(2);
    },
  );

  test.each([
    'compare no.json --nonsense',
    'scenarios leaky --nonsense',
    'config --x --file no.json',
  ])('are told together in every command: %s', async (line) => {
    const { code, stderr } = await sandbox.run(...line.split(' '));
    expect(stderr).toMatch(/^watertight: unknown option --(nonsense|x)\n/);
    expect(stderr).toMatch(/no\.json: there is no such file|no scenario 'leaky'/);
    expect(stderr).toContain(hint);
    expect(code).toBe(2);
  });
});

describe('questions', () => {
  test.each(['--help', '-h', 'rehearse --help', 'compare --help', 'help', 'help rehearse'])(
    '%s shows every option and exits with 0',
    async (line) => {
      const { code, stdout, stderr } = await sandbox.run(...line.split(' '));
      expect([code, stderr]).toEqual([0, '']);
      for (const option of [
        '--url',
        '--json',
        '--junit',
        'compare',
        '--html',
        '--time-scale',
        '--max',
        '--partitions',
        '--seed',
        '--driver',
        '--service',
        '--check',
        '--write',
      ]) {
        expect(stdout).toContain(option);
      }
      expect(Math.max(...stdout.split('\n').map((text) => text.length))).toBeLessThanOrEqual(80);
    },
  );

  test('--version tells the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
    expect(await sandbox.run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});
