import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { folder, type Folder } from '../config/folder.ts';
import { noStack, Sandbox, type Ended } from './cli.ts';

let sandbox: Sandbox;
let service: Folder;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.clear());
afterEach(() => service?.[Symbol.dispose]());

const run = (...args: string[]): Promise<Ended> =>
  sandbox.startWith({ cwd: service.path }, 'init', ...args).ended;
const read = (name: string): string => readFileSync(join(service.path, name), 'utf8');

const packageJson = '{ "dependencies": { "pg": "^8.20.0" } }';
const pool = `import { Pool } from 'pg';

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL,
  max: 20,
});
`;
const simple = { 'package.json': packageJson, 'src/db.js': pool };

describe('watertight init', () => {
  test('shows the configuration, the changed lines and what is next, and changes nothing', async () => {
    service = folder(simple);
    const { code, stdout, stderr } = await run();
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`src/db.js:3  new Pool: web 16, batch 4; max 20

--- /dev/null
+++ b/watertight.config.json
@@ -0,0 +1,9 @@
+{
+  "$schema": "./node_modules/watertight/schema/watertight.config.schema.json",
+  "max": 20,
+  "defaultPartition": "web",
+  "partitions": {
+    "web": 16,
+    "batch": 4
+  }
+}

--- a/src/db.js
+++ b/src/db.js
@@ -1,6 +1,7 @@
-import { Pool } from 'pg';
+import { Pool } from 'watertight/pg';
+import { loadConfig } from 'watertight/config';
 
 export const pool = new Pool({
   connectionString: process.env.DATABASE_URL,
-  max: 20,
+  ...loadConfig(),
 });
`);
    expect(stdout).toMatch(/\n {2}1\. npm install watertight\n {2}2\. Choose the sizes/);
    expect(stdout).toMatch(/\nNothing is written: --write does it\.\n$/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect([read('src/db.js'), existsSync(join(service.path, 'watertight.config.json'))]).toEqual([
      pool,
      false,
    ]);
  });

  test('--write writes what the diff says, and a second run finds nothing to do', async () => {
    service = folder({ ...simple, 'src/other.js': pool.replaceAll('\n', '\r\n') });
    const { stdout: shown } = await run();
    using patched = folder({ ...simple, 'src/other.js': pool.replaceAll('\n', '\r\n') });
    const diff = shown.slice(shown.indexOf('--- '), shown.indexOf('\nNext\n'));
    execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: patched.path, input: diff });

    const { code, stdout } = await run('--write');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nWritten: watertight\.config\.json, src\/db\.js, src\/other\.js\n$/);
    for (const file of ['watertight.config.json', 'src/db.js', 'src/other.js']) {
      expect(readFileSync(join(patched.path, file), 'utf8')).toBe(read(file));
    }
    expect(await run('--write')).toMatchObject({ code: 0, stderr: '' });
    expect((await run()).stdout).toBe(
      'Divided already:\n  src/db.js:4  Pool\n  src/other.js:4  Pool\n\nNothing to do.\n',
    );
    const { code: checked } = await sandbox.startWith(
      { cwd: service.path },
      ...['config', '--check'],
    ).ended;
    expect(checked).toBe(0);
  });

  test('refuses a configuration file that is there, and says what is not divided', async () => {
    service = folder({ ...simple, 'watertight.config.mjs': 'export default {}' });
    for (const args of [[], ['--write']]) {
      const { code, stdout, stderr } = await run(...args);
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/watertight\.config\.mjs is there already/);
      expect(stderr).toContain('\n  src/db.js:3  new Pool\n');
    }
    expect(read('src/db.js')).toBe(pool);
  });

  test('takes another folder, and leaves out what .gitignore does', async () => {
    service = folder({
      'shop/package.json': packageJson,
      'shop/.gitignore': 'generated',
      'shop/generated/db.js': pool,
      'shop/db.js': pool,
    });
    execFileSync('git', ['init', '-q'], { cwd: join(service.path, 'shop') });
    const { code, stdout } = await run('shop', '--write');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nWritten: watertight\.config\.json, db\.js\n$/);
    expect(read('shop/generated/db.js')).toBe(pool);
  });

  test('a driver that is too old comes along, by the package manager of the service', async () => {
    service = folder({ ...simple, 'package.json': '{ "dependencies": { "pg": "~8.11.3" } }' });
    service.write('pnpm-lock.yaml', '');
    expect((await run()).stdout).toContain('1. pnpm add watertight pg@^8.16.1\n');
    service.write('package.json', '{ "dependencies": { "pg": "^7.0.0" } }');
    expect((await run()).stdout).toContain('2. pg 7 is too old');
    service.write('node_modules/pg/package.json', '{ "version": "8.20.0" }');
    expect((await run()).stdout).toContain('1. pnpm add watertight\n');
  });

  test('a terminal sees the diff in colours', async () => {
    service = folder(simple);
    const { ended } = sandbox.startOnTerminal('init', service.path);
    const { stdout } = await ended;
    expect(stdout).toContain('\u001B[32m+import { Pool } from');
    expect(stdout).toContain('\u001B[31m-import { Pool } from');
  });
});

describe('says what is wrong', () => {
  test.each<[string, Readonly<Record<string, string>>, string[], number, RegExp]>([
    ['no such folder', {}, ['nowhere'], 2, /there is no folder 'nowhere'/],
    ['a file', { 'a.js': '' }, ['a.js'], 2, /there is no folder 'a\.js'/],
    ['no package.json', { 'db.js': pool }, [], 2, /there is no package\.json in '\.'/],
    ['a broken package.json', { 'package.json': '{' }, [], 1, /^package\.json: this is not JSON/],
    [
      'no driver',
      { 'package.json': '{}', 'a.js': '' },
      [],
      1,
      /depends on none of pg, mysql2, mongoose/,
    ],
    ['no pool', { 'package.json': packageJson }, [], 1, /no new Pool\(\), createPool\(\) or/],
    [
      'nothing for it',
      {
        'package.json': packageJson,
        'db.ts': "import { DataSource } from 'typeorm';\nnew DataSource({});",
      },
      [],
      1,
      /no pool that init can divide/,
    ],
    [
      'a syntax error',
      { ...simple, 'b.js': "require('pg'); (" },
      [],
      1,
      /^b\.js:1: it cannot be parsed: Unexpected token\n$/,
    ],
    [
      'another encoding',
      { 'package.json': packageJson },
      [],
      1,
      /^latin\.js: it is not UTF-8\n.*no pool was found in the files that could be read/,
    ],
  ])('%s', async (what, files, args, expected, message) => {
    service = folder(files);
    if (what === 'another encoding') {
      service.write('latin.js', Buffer.from("require('pg'); '\u00E9'", 'latin1') as never);
    }
    const { code, stderr } = await run(...args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(noStack);
    expect(code).toBe(expected);
  });

  test('without a parser it says how to bring one; that of the service will do', async () => {
    service = folder(simple);
    using alone = folder();
    const dist = join(process.cwd(), 'dist');
    execFileSync('cp', ['-r', dist, join(process.cwd(), 'package.json'), alone.path]);
    const init = (): { status: number; stderr: string } => {
      try {
        const bin = join(alone.path, 'dist/esm/cli/main.js');
        execFileSync(process.execPath, [bin, 'init'], { cwd: service.path, stdio: 'pipe' });
        return { status: 0, stderr: '' };
      } catch (error) {
        const { status, stderr } = error as { status: number; stderr: Buffer };
        return { status, stderr: stderr.toString() };
      }
    };
    expect(init()).toEqual({
      status: 2,
      stderr:
        'watertight: init reads code with @babel/parser, which is not installed here; this brings it along:\n' +
        '  npx -p watertight -p @babel/parser@7 watertight init\n',
    });
    service.write('node_modules/@babel/.keep', '');
    symlinkSync(
      join(process.cwd(), 'node_modules/@babel/parser'),
      join(service.path, 'node_modules/@babel/parser'),
    );
    expect(init()).toEqual({ status: 0, stderr: '' });
  });
});
