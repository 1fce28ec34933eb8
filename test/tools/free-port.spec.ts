import { expect, it } from '@jest/globals';
import { findFreePort } from '../support/free-port.js';

it('gives each port once, so that two programs that start at the same time never get the same', async () => {
  const ports: number[] = [];
  for (let count = 0; count < 1_000; count++) ports.push(await findFreePort());
  expect(new Set(ports).size).toBe(1_000);
});
