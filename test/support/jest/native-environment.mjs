import { ModernFakeTimers } from '@jest/fake-timers';
import { FileTime } from './file-time.mjs';
import { ModuleMocker } from 'jest-mock';

/**
 * The Jest environment of all tests: the worker process without VM contexts, so that a worker loads the 2,200 modules of the service only once. The
 * environment of Jest with `--experimental-vm-modules` and @swc/jest takes 2.3 s more of processor time for each e2e file: 35 instead of 21 s for
 * 6 e2e and 12 unit files, with a warm cache.
 */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #console = globalThis.console;
  #exit = process.exit;

  constructor({ projectConfig }, { testPath }) {
    this.fileTime = new FileTime(projectConfig, testPath);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  handleTestEvent({ name }) {
    if (name === 'test_start') this.fileTime.noteFirstTest();
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    // Jest replaces `console` and `process.exit` during a test file.
    globalThis.console = this.#console;
    process.exit = this.#exit;
    this.fileTime.report();
  }

  exportConditions() {
    return ['node', 'import'];
  }

  getVmContext() {
    return null;
  }
}
