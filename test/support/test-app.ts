import { startApp, type TestApp } from './app.js';
import { testServer } from './test-server.js';

/** Starts the service before the tests of the file or block and stops the service after them. Only tests and hooks can use it. */
export const testApp = (...options: Parameters<typeof startApp>): TestApp => testServer(() => startApp(...options));
