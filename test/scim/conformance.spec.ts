import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { findFreePort } from '../support/free-port.js';
import type { TestBody } from '../support/http-client.js';
import { pythonPrograms } from '../support/python-programs.js';
import { type ScimClient, startScim } from '../support/scim.js';

const INSTALL_TIMEOUT_MS = 300_000;
const RUN_TIMEOUT_MS = 180_000;

interface Run {
  code: number;
  stdout: string;
  stderr: string;
}

describe('SCIM tools of other people', () => {
  let app: TestApp;
  let scim: ScimClient;
  let programs: string;

  beforeAll(async () => {
    programs = await pythonPrograms('scim', join(import.meta.dirname, 'requirements.txt'));
    const port = await findFreePort();
    app = await startApp({ port, baseUrl: `http://127.0.0.1:${port}` });
    ({ scim } = await startScim(app, 'Acme'));
  }, INSTALL_TIMEOUT_MS);
  afterAll(() => app?.close());

  const run = (program: string, parameters: readonly string[], environment: Record<string, string> = {}): Promise<Run> =>
    promisify(execFile)(join(programs, program), parameters, { env: { ...process.env, ...environment } }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      ({ code, stdout, stderr }: Run) => ({ code, stdout, stderr }),
    );

  it(
    'find no deviation: all checkers of scim2-tester',
    async () => {
      const { stdout, stderr } = await run('python', [join(import.meta.dirname, 'check_server.py'), scim.base, scim.token]);
      expect(stderr).toBe('');
      const results = JSON.parse(stdout) as TestBody[];
      console.log(results.map(({ status, title, resourceType, reason }) => [status, title, resourceType, reason].join(' | ')).join('\n'));
      expect(results.filter(({ status }) => !['SUCCESS', 'COMPLIANT', 'ACCEPTABLE'].includes(status))).toEqual([]);
      expect(results.length).toBeGreaterThan(20);
    },
    RUN_TIMEOUT_MS,
  );

  it(
    'find no deviation: scim-sanity with its profile for Entra ID',
    async () => {
      const options = ['--profile', 'entra', '--user-domain', 'example.com', '--strict', '--json-output', '--i-accept-side-effects'];
      const { code, stdout, stderr } = await run('scim-sanity', ['probe', scim.base, '--token', scim.token, ...options]);
      console.log(code, stdout.slice(0, 6000), stderr);
    },
    RUN_TIMEOUT_MS,
  );

  it(
    'work as a client: scim2-cli',
    async () => {
      const scim2 = async (...parameters: string[]): Promise<TestBody> => {
        const environment = { SCIM_CLI_URL: scim.base, SCIM_CLI_HEADERS: `Authorization: Bearer ${scim.token}` };
        const { code, stdout, stderr } = await run('scim2', parameters, environment);
        if (code !== 0) throw new Error(`scim2 ${parameters.join(' ')} ended with ${code}: ${stderr}${stdout}`);
        return stdout === '' ? undefined : JSON.parse(stdout);
      };
      const created = await scim2('create', 'user', '--user-name', 'bjensen@example.com');
      console.log(created);
    },
    RUN_TIMEOUT_MS,
  );
});
