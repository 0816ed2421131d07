/** Modules to take from elsewhere, by name: `npm run test:matrix` plays other versions of the drivers. */
const modules = Object.entries(JSON.parse(process.env.WATERTIGHT_TEST_MODULES ?? '{}'));

const common = {
  rootDir: import.meta.dirname,
  roots: ['<rootDir>/test'],
  transform: {
    '\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        module: { type: 'commonjs' },
      },
    ],
  },
  moduleNameMapper: Object.fromEntries(
    modules.flatMap(([name, folder]) => [
      [`^${name}$`, folder],
      [`^${name}/(.*)$`, `${folder}/$1`],
    ]),
  ),
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};

/**
 * Tests in these folders, and the file in test/servers/for that starts the servers that they need.
 * One file for each set of servers: jest runs a file once, however many projects name it.
 */
const project = (displayName, folders, servers) => ({
  ...common,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
  ...(servers && {
    globalSetup: `<rootDir>/test/servers/for/${servers}.ts`,
    globalTeardown: '<rootDir>/test/servers/teardown.ts',
  }),
});

export default {
  projects: [
    project('core', ['unit', 'property', 'config', 'bench']),
    project('servers', ['servers', 'contract', 'chaos'], 'all'),
    project('incident', ['incident'], 'all'),
    project('mysql2', ['mysql2'], 'mysql'),
    project('mongoose', ['mongoose']),
    project('compat', ['compat'], 'postgres-mysql'),
    project('pg', ['pg', 'conformance', 'rehearsal', 'cli', 'package'], 'postgres'),
  ],
  testTimeout: 60_000,
  // Servers and clocks of one test are not to disturb another.
  maxWorkers: 1,
  // What test files leave in a process adds up to gigabytes; a worker that has too much is replaced.
  workerIdleMemoryLimit: '1GB',
  coverageProvider: 'v8',
};
