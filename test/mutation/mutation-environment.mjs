import NativeEnvironment from '../support/jest/native-environment.mjs';

/** Removes the previous mutant, which Stryker keeps in a global variable. */
export default class MutationEnvironment extends NativeEnvironment {
  constructor(...options) {
    super(...options);
    delete globalThis.__stryker__;
  }
}
