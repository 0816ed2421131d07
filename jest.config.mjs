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
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
};

/** Tests in these folders, and the servers of test/servers/databases.ts that they need. */
const project = (displayName, folders, servers = []) => ({
  ...common,
  displayName,
  testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
  ...(servers.length > 0 && {
    globals: { servers },
    globalSetup: '<rootDir>/test/servers/setup.ts',
    globalTeardown: '<rootDir>/test/servers/teardown.ts',
  }),
});

export default {
  projects: [
    project('core', ['unit', 'property', 'config', 'bench', 'mongoose']),
    project('servers', ['servers', 'contract'], ['postgres', 'mysql', 'mariadb', 'mongo']),
    project('mysql2', ['mysql2'], ['mysql']),
    project('incident', ['incident'], ['postgres', 'mysql', 'mariadb', 'mongo']),
    project('pg', ['pg', 'conformance', 'rehearsal', 'cli', 'package'], ['postgres']),
  ],
  testTimeout: 60_000,
  // Servers and clocks of one test are not to disturb another.
  maxWorkers: 1,
  coverageProvider: 'v8',
};
