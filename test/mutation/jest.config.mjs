import jestConfig from '../../jest.config.js';

const {
  displayName: _,
  testMatch: _all,
  testEnvironment: _own,
  runtime: _native,
  ...unit
} = jestConfig.projects.find(({ displayName }) => displayName === 'unit');

/**
 * The unit project with the tests of one area of `areas.mjs`. Uses the VM contexts of Jest, because each mutant must load the modules anew: some
 * mutants are in code that runs when a module is loaded.
 */
export default {
  ...unit,
  testTimeout: jestConfig.testTimeout,
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  moduleNameMapper: {
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['identity-source', 'node'] },
  setupFiles: ['reflect-metadata'],
};
