import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WebhookVerificationError, Webhooks } from '../../packages/webhooks/src/index.js';
import { installProgram } from '../support/apt-get.js';
import { newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { byName, deliveries, type Delivery, expectedOutcomes, realDelivery } from './deliveries.js';

const EXAMPLES = join(import.meta.dirname, '../../packages/webhooks/examples');
const PROGRAMS = join(import.meta.dirname, 'verifiers');
/** The time limit of the Go build. On a new machine, Go first compiles the standard library. */
const BUILD_TIMEOUT_MS = 240_000;

jest.setTimeout(BUILD_TIMEOUT_MS);

describe('a webhook verifier', () => {
  const app = testApp();
  let cases: Delivery[];
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verifiers-'));
    await newOrganization(app, { slug: 'acme' });
    cases = await deliveries(await realDelivery(app));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Runs a program with the cases as JSON on standard input, and expects their outcomes. */
  function expectOutcomes(command: string, ...args: string[]): void {
    const outcomes = JSON.parse(execFileSync(command, args, { cwd: folder, input: JSON.stringify(cases), encoding: 'utf8' }));
    expect(byName(cases, outcomes)).toEqual(expectedOutcomes(cases));
  }

  it('returns the expected results in JavaScript', async () => {
    const outcomes = cases.map(({ body, headers, secrets, now }) =>
      new Webhooks({ secret: secrets, now: () => now * 1_000 }).verify(body, headers).then(
        () => 'verified',
        (error: unknown) => (error instanceof WebhookVerificationError ? error.code : String(error)),
      ),
    );
    expect(byName(cases, await Promise.all(outcomes))).toEqual(expectedOutcomes(cases));
  });

  it('returns the expected results in Python', async () => {
    await installProgram('python3', ['python3', '-V']);
    copyFileSync(join(PROGRAMS, 'run.py'), join(folder, 'run.py'));
    copyFileSync(join(EXAMPLES, 'python/verify_webhook.py'), join(folder, 'verify_webhook.py'));
    expectOutcomes('python3', '-B', 'run.py');
  });

  it('returns the expected results in Go', async () => {
    await installProgram('golang-go', ['go', 'version']);
    const module = `module example.com/run\n\ngo 1.19\n\nrequire example.com/verifywebhook v0.0.0\n\nreplace example.com/verifywebhook => ${join(EXAMPLES, 'go')}\n`;
    writeFileSync(join(folder, 'go.mod'), module);
    copyFileSync(join(PROGRAMS, 'main.go'), join(folder, 'main.go'));
    expectOutcomes('go', 'run', '.');
  });
});
