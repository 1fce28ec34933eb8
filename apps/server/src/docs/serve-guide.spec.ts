import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import express from 'express';
import { serveGuide } from './serve-guide.js';

it('the guide returns 503 with Retry-After until the pages are built', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  const app = express();
  serveGuide(app as never, folder);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/docs/guide/quickstart`);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '10']);
  expect(await response.text()).toContain('The guide is not built yet');
  server.close();
  rmSync(folder, { recursive: true });
});
