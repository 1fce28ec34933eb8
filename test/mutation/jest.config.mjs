import jestConfig from '../../jest.config.js';

const { testMatch: _all, ...unit } = jestConfig.projects.find(({ displayName }) => displayName === 'unit');

/** The unit project with the tests of one area of `areas.mjs`. */
export default {
  ...unit,
  testTimeout: jestConfig.testTimeout,
  testEnvironment: `${import.meta.dirname}/mutation-environment.mjs`,
  runtime: `${import.meta.dirname}/mutation-runtime.mjs`,
};
