import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { findFreePort } from '../support/free-port.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';
import { ProjectCopy } from './project-copy.js';

const LIMIT_MS = 300_000;

let copy: ProjectCopy;
let database: TestDatabase;
beforeAll(async () => {
  copy = new ProjectCopy();
  database = await createTestDatabase();
});
afterAll(async () => {
  copy.remove();
  await database.drop();
});

it(
  'npm run dev serves the built pages, and the pages with reload',
  async () => {
    const port = await findFreePort();
    const env = { ...process.env, NODE_ENV: '', PORT: String(port), DATABASE_URL: database.url, SECRETS_KEY: '' };
    const dev = spawn('npm', ['run', '--silent', 'dev'], { cwd: copy.folder, env, detached: true });
    let output = '';
    for (const stream of [dev.stdout, dev.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const page = async (url: string): Promise<string | undefined> => {
      const response = await fetch(url).catch(() => undefined);
      return response?.ok ? response.text() : undefined;
    };
    try {
      const reloading = (): string | undefined => /Local: +(http:\/\/localhost:\d+)\//.exec(output)?.[1];
      await eventually(() => reloading() !== undefined, LIMIT_MS, 'the pages with reload are served');
      await eventually(
        async () => (await page(`http://127.0.0.1:${port}/dashboard`)) !== undefined,
        LIMIT_MS,
        'the pages are built',
      );
      expect(await page(`${reloading()}/dashboard`)).toContain('/@vite/client');
      expect(await page(`${reloading()}/health/live`)).toContain('"status":"ok"');
    } finally {
      process.kill(-dev.pid!);
      await once(dev, 'exit');
    }
  },
  2 * LIMIT_MS,
);
