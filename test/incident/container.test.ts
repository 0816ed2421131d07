import { existsSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { getContainerRuntimeClient } from 'testcontainers';
import { Sandbox } from '../cli/cli.ts';
import { until } from '../support/pg.ts';

const hasEngine = existsSync('/var/run/docker.sock') || process.env['DOCKER_HOST'] !== undefined;

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.clear());

/** Containers of the process with this number. */
async function containersOf(pid: number | undefined): Promise<number> {
  const { container } = await getContainerRuntimeClient();
  const filters = { label: [`watertight.pid=${pid}`] };
  return (await container.dockerode.listContainers({ all: true, filters })).length;
}

(hasEngine ? describe : describe.skip)('a server in a container', () => {
  const start = () => sandbox.start('rehearse', '--driver', 'mongoose', '--time-scale', '0.05');

  test('is there while the rehearsal runs, and gone after Ctrl-C', async () => {
    const { child, ended, says } = start();
    await says('calm');
    expect(await containersOf(child.pid)).toBe(1);
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    expect([code, await containersOf(child.pid)]).toEqual([130, 0]);
    expect(stderr).toMatch(/^starting MongoDB in a container\nmonth-end on (MongoDB|FerretDB)/);
  });

  test('is gone when Ctrl-C comes while it starts', async () => {
    const { child, ended, says } = start();
    await says('starting MongoDB in a container');
    await until(async () => (await containersOf(child.pid)) === 1);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(await containersOf(child.pid)).toBe(0);
  });

  test('is taken away by its guard when the command is killed outright', async () => {
    const { child, ended, says } = start();
    await says('calm');
    child.kill('SIGKILL');
    await ended;
    await until(async () => (await containersOf(child.pid)) === 0);
  });
});
