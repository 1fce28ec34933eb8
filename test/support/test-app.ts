import { afterAll, beforeAll } from '@jest/globals';
import { startApp, type TestApp } from './app.js';

/** Starts the service before the tests of the file or block and stops the service after them. Only tests and hooks can use it. */
export function testApp(...options: Parameters<typeof startApp>): TestApp {
  let app: TestApp | undefined;
  beforeAll(async () => {
    app = await startApp(...options);
  });
  afterAll(() => app?.close());
  return new Proxy({} as TestApp, { get: (_, name) => app![name as keyof TestApp] });
}
