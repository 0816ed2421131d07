import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { parseArguments } from '../../cli/options.ts';

const root = join(__dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Workflow {
  readonly on: unknown;
  readonly jobs: {
    readonly rehearsal: {
      readonly services: { readonly postgres: Service };
      readonly steps: readonly Step[];
    };
  };
}

interface Service {
  readonly image: string;
  readonly env: Readonly<Record<string, string>>;
  readonly ports: readonly string[];
}

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

const page = read('docs/rehearsal.md');
const [, text = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? [];
// Throws for what is no YAML, and for a key that stands there twice.
const { on, jobs } = parse(text) as Workflow;
const { services, steps } = jobs.rehearsal;
const example = 'examples/rehearsal-node-test';

describe('the workflow for GitHub Actions', () => {
  test('checks out, sets up Node, installs and plays, on every push', () => {
    expect(on).toEqual(['push']);
    expect(
      steps.map(({ uses, run = '' }) => uses?.replace(/@v\d+$/, '') ?? run.split(' ')[0]),
    ).toEqual(['actions/checkout', 'actions/setup-node', 'npm', 'node']);
  });

  test('plays the test of the example, which reads the variable that it sets', () => {
    const { run = '', env = {} } = steps.at(-1) ?? {};
    const [, file = ''] = /^node --test (\S+)$/.exec(run) ?? [];
    expect(existsSync(join(root, example, file))).toBe(true);
    for (const name of Object.keys(env))
      expect(read(join(example, file))).toContain(`process.env.${name}`);
    expect(Object.keys(env)).toEqual(['DATABASE_URL']);
  });

  test('connects to its own service: user, password and port', () => {
    const { username, password, hostname, port } = new URL(
      steps.at(-1)?.env?.['DATABASE_URL'] ?? '',
    );
    const { env, ports } = services.postgres;
    expect({ username, password, hostname }).toEqual({
      username: 'postgres',
      password: env['POSTGRES_PASSWORD'],
      hostname: 'localhost',
    });
    expect(ports).toEqual([`${port}:5432`]);
  });

  test('uses a Node that the package supports, and the PostgreSQL that its developers use', () => {
    const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
    const node = steps.find(({ uses }) => uses?.startsWith('actions/setup-node'))?.with?.[
      'node-version'
    ];
    expect(engines.node).toContain(`^${String(node)}.`);
    const { services: own } = parse(read('docker-compose.yml')) as {
      services: { postgres: Service };
    };
    expect(services.postgres.image).toBe(own.postgres.image);
  });

  test('has another last step for those without a test, whose options exist', () => {
    const [, command = ''] = /the last step is\s+`npx watertight (.*?)`/s.exec(page) ?? [];
    const words = command.replaceAll('"', '').split(' ');
    expect(parseArguments(words)).toMatchObject({ command: 'rehearse', faults: [] });
  });
});
