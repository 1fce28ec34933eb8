import jestConfig from '../../jest.config.js';

const { displayName: _, testMatch: _all, ...unit } = jestConfig.projects.find(({ displayName }) => displayName === 'unit');

/** The unit project, with the tests of one area of `areas.mjs` alone (`npm run test:mutation` names them). */
export default { ...unit, testTimeout: jestConfig.testTimeout };
