import { afterAll, beforeAll } from '@jest/globals';

const ENDS = ['drop', 'stop', 'close'] as const;

/** Starts a server before the tests of the file or block, and drops, stops or closes it after them. Only tests and hooks can use the result. */
export function testServer<T extends Partial<Record<(typeof ENDS)[number], () => unknown>>>(start: () => Promise<T>): T {
  let server: T | undefined;
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    const end = ENDS.find((name) => server && name in server);
    if (end) await server?.[end]?.();
  });
  return new Proxy({} as T, {
    get: (_, name) => server![name as keyof T],
    set: (_, name, value) => Reflect.set(server!, name, value),
  });
}
