import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import express from 'express';
import { serveGuide } from './serve-guide.js';

let folder: string;
let url: string;
let close: () => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const app = express();
  serveGuide(app as never, folder);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/guide`;
  close = () => server.close();
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true });
});

it('the guide returns 503 with Retry-After until the pages are built', async () => {
  const response = await fetch(`${url}/quickstart`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await response.text()).toContain('The guide is not built yet');
});

it('the guide serves the built pages and the 404 page', async () => {
  writeFileSync(join(folder, 'quickstart.html'), 'Quick');
  writeFileSync(join(folder, '404.html'), 'Nothing here');
  expect(await (await fetch(`${url}/quickstart`)).text()).toBe('Quick');
  const missing = await fetch(`${url}/nothing`);
  expect([missing.status, await missing.text()]).toEqual([404, 'Nothing here']);
});
