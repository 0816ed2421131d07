import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { folder, type Folder } from '../config/folder.ts';
import { Sandbox, type Ended, type Surroundings } from './cli.ts';

let sandbox: Sandbox;
let service: Folder;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.clear());
afterEach(() => service[Symbol.dispose]());

const run = (line: string, { env = {} }: Surroundings = {}): Promise<Ended> =>
  sandbox.startWith({ cwd: service.path, env }, 'config', ...line.split(' ').filter(Boolean)).ended;

const two = `{
  "acquireTimeoutMillis": 500,
  "services": {
    "shop": {
      "max": 20,
      "partitions": {
        "order": { "size": 8, "acquireTimeoutMillis": 250 },
        "batch": { "size": 4, "max": 12 }
      }
    },
    "mail": { "partitions": { "send": 3 } }
  }
}`;

describe('watertight config', () => {
  test('shows every value and where it comes from', async () => {
    service = folder({ 'watertight.config.json': two });
    const env = { WATERTIGHT_SERVICE: 'shop', WATERTIGHT_PARTITIONS: 'order=6' };
    const { code, stdout, stderr } = await run('', { env });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe(`service shop, watertight.config.json
max                                     20  watertight.config.json:5
defaultPartition                         -  not set
acquireTimeoutMillis                   500  watertight.config.json:2
maxWaiting                             100  default
partitions.order.size                    6  WATERTIGHT_PARTITIONS
partitions.order.max                     6  its size
partitions.order.acquireTimeoutMillis  250  watertight.config.json:7
partitions.order.maxWaiting            100  default
partitions.batch.size                    4  watertight.config.json:8
partitions.batch.max                    12  watertight.config.json:8
partitions.batch.acquireTimeoutMillis  500  watertight.config.json:2
partitions.batch.maxWaiting            100  default
`);
  });

  test('shows every service of the file when none is named', async () => {
    service = folder({ 'pools.json': two });
    const { code, stdout } = await run('--file pools.json');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^service shop, pools.json\n[^]*\n\nservice mail, pools.json\n/);
    expect((await run('--file pools.json --service mail')).stdout).toMatch(/^service mail/);
  });

  test('--check exits with 1 and tells every fault of every service', async () => {
    const faulty = two
      .replace('"size": 8', '"size": "8"')
      .replace('"send": 3', '"send": { "sise": 3 }');
    service = folder({ 'watertight.config.json': faulty });
    const { code, stdout, stderr } = await run('--check');
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.split('\n')).toEqual([
      "watertight.config.json:7: partitions.order.size: expected an integer from 0 up, got '8'",
      "watertight.config.json:11: services.mail.partitions.send.sise: unknown option; did you mean 'size'?",
      '',
    ]);
    service.write(
      'watertight.config.json',
      two.replace('"size": 8', '"size": "8"').replace('"send": 3', '"send": 3.5'),
    );
    expect(
      (await run('--check', { env: { WATERTIGHT_SERVICE: 'shop' } })).stderr.split('\n'),
    ).toEqual([
      "watertight.config.json:7: partitions.order.size: expected an integer from 0 up, got '8'",
      'watertight.config.json:11: partitions.send.size: expected an integer from 0 up, got 3.5',
      '',
    ]);
  });

  test('--check is content with what is in order', async () => {
    service = folder({ 'watertight.config.json': two });
    expect(await run('--check')).toEqual({
      code: 0,
      stdout: 'watertight.config.json is in order: shop, mail\n',
      stderr: '',
    });
  });

  test('without any configuration it says where it looked', async () => {
    service = folder();
    const { code, stderr } = await run('');
    expect(code).toBe(1);
    expect(stderr).toMatch(/^partitions: expected at least one, in code, in a configuration file/);
  });
});
