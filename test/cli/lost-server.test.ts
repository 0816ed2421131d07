import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Rehearsal } from '../../rehearsal/index.ts';
import { startEmbeddedPostgres } from '../../rehearsal/embedded/server.ts';
import type { TemporaryServer } from '../../rehearsal/temporary-server.ts';
import { noStack, Sandbox, type Ended } from './cli.ts';
import { writeMonthEnd } from './short-scenario.ts';

let sandbox: Sandbox;
let options: string[];
let reports: Readonly<Record<'json' | 'html', string>>;
beforeEach(() => {
  sandbox = new Sandbox();
  const scenario = writeMonthEnd(sandbox.folder, [2, 10, 2]);
  const [json, html] = [join(sandbox.folder, 'r.json'), join(sandbox.folder, 'r.html')];
  for (const file of [json, html]) writeFileSync(file, 'earlier');
  reports = { json, html };
  options = ['rehearse', scenario, '--json', json, '--html', html];
});
afterEach(() => sandbox.clear());

async function expectLost({ code, stdout, stderr }: Ended): Promise<void> {
  const said = stderr.split('\n').filter((line) => line.startsWith('watertight: '));
  expect(said).toEqual([
    expect.stringMatching(/the connection to the server was lost in the middle of the rehearsal: /),
  ]);
  expect(stderr).not.toMatch(noStack);
  expect([code, stdout]).toEqual([3, '']);
  for (const file of Object.values(reports)) expect(readFileSync(file, 'utf8')).toBe('earlier');
  expect(await sandbox.leftovers()).toEqual(['r.html', 'r.json', 'short-month-end.json']);
}

// What a server leaves behind is read from /proc.
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'a server that is killed in the middle ends the rehearsal, and nothing of it is left',
  async () => {
    const { says, ended } = sandbox.start(...options);
    await says('month end');
    const [folder = ''] = readdirSync(sandbox.folder).filter((name) =>
      name.startsWith('watertight-'),
    );
    const data = join(sandbox.folder, folder, 'data');
    const lock = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n');
    const sharedMemory = Number(lock[6]?.trim().split(/\s+/)[1]);
    expect(processesIn(data)).not.toEqual([]);
    expect(sharedMemories()).toContain(sharedMemory);
    process.kill(Number(lock[0]), 'SIGKILL');
    await expectLost(await ended);
    expect(processesIn(data)).toEqual([]);
    expect(sharedMemories()).not.toContain(sharedMemory);
  },
);

const sharedMemories = (): number[] =>
  readFileSync('/proc/sysvipc/shm', 'utf8')
    .split('\n')
    .map((line) => Number(line.trim().split(/\s+/)[1]));

/** A session of PostgreSQL has another name than its server, but it is where the data is. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder);
    } catch {
      return false;
    }
  });
}

describe('connections that the server ends', () => {
  let server: TemporaryServer;
  beforeEach(async () => {
    server = await startEmbeddedPostgres({ connections: 21 });
    options.push('--url', server.url);
  });
  afterEach(() => server.stop());

  async function query(sql: string): Promise<{ name: string }[]> {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(sql);
    await client.end();
    return rows;
  }

  const terminate = (names: string): Promise<unknown> =>
    query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name like '${names}'`,
    );

  /** The run in which four reports are at work now; it may be played several times. */
  const runWithReports = `select application_name as name from pg_stat_activity
    where application_name like 'watertight partitioned %' and query = 'select pg_sleep(0.5)'
      and state = 'active' group by 1 having count(*) = 4`;

  test('are failures of the requests that held them, and the pool opens others', async () => {
    const { child, says, ended } = sandbox.start(...options);
    await says('3/3 partitioned');
    const cut = new Set<string>();
    while (child.exitCode === null) {
      for (const { name } of await query(runWithReports)) {
        if (!cut.has(name)) await terminate(name);
        cut.add(name);
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const { code, stdout, stderr } = await ended;
    const { runs, void: isVoid } = JSON.parse(readFileSync(reports.json, 'utf8')) as Rehearsal;
    const { order, search, batch } = runs[2]?.partitions ?? {};
    expect(batch?.firstFailure).toMatch(/terminating connection/);
    for (const partition of [order, search]) {
      expect(partition?.failed).toBeGreaterThan(0);
      expect(partition?.failed).toBeLessThan((partition?.offered ?? 0) / 10);
      expect(partition?.served).toBeGreaterThan((partition?.offered ?? 0) / 2);
    }
    // A machine that was too busy proves nothing, whatever was counted.
    expect(stdout).toContain(isVoid ? 'Void: ' : 'The walls do not hold');
    expect(stderr).not.toMatch(noStack);
    expect(code).toBe(isVoid ? 4 : 1);
  });

  test('end the rehearsal when the one that counts is among them', async () => {
    const { says, ended } = sandbox.start(...options);
    await says('month end');
    await terminate('watertight %');
    await expectLost(await ended);
  });
});
