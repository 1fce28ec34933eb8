const common = {
  rootDir: import.meta.dirname,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^#([a-z-]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata'],
  // Where mutation tests keep copies of everything.
  modulePathIgnorePatterns: ['<rootDir>/.cache/'],
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
  // Jest heeds it only here, for all projects together.
  testTimeout: 60_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/libs/**/*.spec.ts', '<rootDir>/apps/**/*.spec.ts', '<rootDir>/test/architecture/**/*.spec.ts'],
    },
    ...['integration', 'e2e', 'contract', 'delivery', 'timing', 'faults'].map(withServers),
    { ...withServers('packages'), globalSetup: '<rootDir>/test/support/packages-setup.mjs' },
    {
      ...withServers('web'),
      globalSetup: '<rootDir>/test/support/web-setup.mjs',
      setupFilesAfterEnv: ['<rootDir>/test/support/retry-once.mjs'],
    },
  ],
};
