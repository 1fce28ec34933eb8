const common = {
  rootDir: import.meta.dirname,
  // Node.js loads the tests and, with the hooks of test/support/register-typescript.mjs, compiles them: see these two files.
  testEnvironment: '<rootDir>/test/support/jest/native-environment.mjs',
  runtime: '<rootDir>/test/support/jest/native-runtime.mjs',
  transform: {},
  // Where guards and mutation tests keep copies of everything.
  modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/dist/'],
};

/** A project whose tests use real servers: one PostgreSQL for the whole run, and a redis-server that can be started. */
function withServers(name) {
  return {
    ...common,
    displayName: name,
    testMatch: [`<rootDir>/test/${name}/**/*.spec.ts`],
    globalSetup: '<rootDir>/test/support/global-setup.mjs',
    globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  };
}

export default {
  // Jest reads it only here, for all projects together.
  testTimeout: 120_000,
  // Chromium needs more than the usual 500 ms to close on a busy machine.
  workerGracefulExitTimeout: 5_000,
  testSequencer: '<rootDir>/test/support/jest/sequencer.mjs',
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/**/*.spec.ts', '<rootDir>/test/architecture/**/*.spec.ts'],
    },
    { ...common, displayName: 'tools', testMatch: ['<rootDir>/test/tools/**/*.spec.ts'] },
    ...['integration', 'e2e', 'contract', 'delivery', 'races', 'generators', 'timing', 'faults', 'citus', 'scim'].map(
      withServers,
    ),
    { ...withServers('packages'), globalSetup: '<rootDir>/test/support/packages-setup.mjs' },
    ...['walks', 'web', 'keycloak', 'relying-parties'].map((name) => ({
      ...withServers(name),
      globalSetup: '<rootDir>/test/support/web-setup.mjs',
    })),
  ],
};
