import { pathToFileURL } from 'node:url';
import NativeRuntime from '../support/jest/native-runtime.mjs';

let loadedFiles = 0;

/**
 * Loads the sources of the project anew for each mutant, because some mutants are in code that runs when a module is loaded. Installed packages stay
 * loaded, so that a mutant takes a third of the processor time that it takes in a VM context of Jest, and the worker does not grow.
 */
export default class MutationRuntime extends NativeRuntime {
  async unstable_importModule(path) {
    loadedFiles += 1;
    return import(`${pathToFileURL(path).href}?mutant=${loadedFiles}`);
  }

  /** Nobody reads the stack traces. */
  getSourceMaps() {
    return new Map();
  }
}
