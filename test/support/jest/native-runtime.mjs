import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { CompiledSourceMaps } from '../compiled-source.mjs';

const require = createRequire(import.meta.url);
const CIRCUS_STATE = 'JEST_STATE_SYMBOL';
let loadedFiles = 0;

/** Loads test files and jest-circus with Node.js's own `import` and `require` instead of Jest's copies of them. */
export default class NativeRuntime extends Runtime {
  /** jest-circus keeps what a test file declares in module state, so each file gets a fresh copy of it. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    const previous = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === CIRCUS_STATE);
    if (previous) delete globalThis[previous];
    return require(path);
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    loadedFiles += 1;
    return import(`${pathToFileURL(path).href}?file=${loadedFiles}`);
  }

  getSourceMaps() {
    return new CompiledSourceMaps();
  }

  setGlobalsForRuntime(globals) {
    globalThis[Symbol.for('jest-globals')] = { ...globals, jest: this.jestGlobals.jestObjectFor(this._testPath) };
  }
}
