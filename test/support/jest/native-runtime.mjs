import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import Runtime from 'jest-runtime';
import { CompiledSourceMaps } from '../compiled-source.mjs';
import { measured } from './file-time.mjs';

const require = createRequire(import.meta.url);
const CIRCUS_STATE = 'JEST_STATE_SYMBOL';
const asyncHooks = require('node:async_hooks');
const storages = [];
let loadedFiles = 0;

class RecordedStorage extends asyncHooks.AsyncLocalStorage {
  constructor() {
    super();
    storages.push(this);
  }
}

/** Loads test files and jest-circus with the `import` and `require` of Node.js, as `NativeEnvironment` requires. Its figure includes this class. */
export default class NativeRuntime extends Runtime {
  /**
   * Disables the async storages of earlier test files. Node.js would propagate the storages with each promise: 7 % more processor time after 18
   * files, and more with every file.
   */
  constructor(...options) {
    super(...options);
    for (const storage of storages.splice(0)) storage.disable();
  }

  /** Loads a fresh copy of jest-circus for each test file, because jest-circus stores the declared tests in its modules. */
  requireInternalModule(path) {
    delete require.cache[path];
    delete globalThis[Symbol.for('EVENT_HANDLERS')];
    const previous = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === CIRCUS_STATE);
    if (previous) delete globalThis[previous];
    const { AsyncLocalStorage } = asyncHooks;
    asyncHooks.AsyncLocalStorage = RecordedStorage;
    try {
      return require(path);
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  requireModule(path) {
    return require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  async unstable_importModule(path) {
    loadedFiles += 1;
    return measured('load modules', () => import(`${pathToFileURL(path).href}?file=${loadedFiles}`));
  }

  getSourceMaps() {
    return new CompiledSourceMaps();
  }

  setGlobalsForRuntime(globals) {
    globalThis[Symbol.for('jest-globals')] = { ...globals, jest: this.jestGlobals.jestObjectFor(this._testPath) };
  }
}
