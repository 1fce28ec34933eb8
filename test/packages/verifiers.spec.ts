import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookVerificationError, Webhooks } from '../../packages/webhooks/src/index.js';
import { installProgram } from '../support/apt-get.js';
import { newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { byName, deliveries, type Delivery, expectedOutcomes, realDelivery } from './deliveries.js';

const EXAMPLES = join(import.meta.dirname, '../../packages/webhooks/examples');
/** The time limit of the Go build. On a new machine, Go first compiles the standard library. */
const BUILD_TIMEOUT_MS = 240_000;

const PYTHON = `
import json, sys
from verify_webhook import WebhookVerificationError, verify_webhook
def outcome(case):
    try:
        verify_webhook(case["body"].encode(), case["headers"], case["secrets"], now=case["now"])
        return "verified"
    except WebhookVerificationError as error:
        return str(error)
print(json.dumps([outcome(case) for case in json.load(sys.stdin)]))
`;
const GO = `package main

import (
	"encoding/json"
	"os"
	"time"

	"example.com/verifywebhook"
)

type delivery struct {
	Body    string
	Headers map[string]string
	Secrets []string
	Now     int64
}

func main() {
	var cases []delivery
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	outcomes := []string{}
	for _, each := range cases {
		header := func(name string) string { return each.Headers[name] }
		if _, err := verifywebhook.Verify([]byte(each.Body), header, each.Secrets, time.Unix(each.Now, 0)); err != nil {
			outcomes = append(outcomes, err.Error())
		} else {
			outcomes = append(outcomes, "verified")
		}
	}
	json.NewEncoder(os.Stdout).Encode(outcomes)
}
`;

const isInstalled = (command: string, argument: string) => (): boolean => spawnSync(command, [argument]).status === 0;

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
  async function expectOutcomes(command: string, ...args: string[]): Promise<void> {
    const outcomes = await new Promise<string[]>((resolve, reject) => {
      const child = execFile(command, args, { cwd: folder }, (error, stdout) =>
        error ? reject(error) : resolve(JSON.parse(stdout)),
      );
      child.stdin!.end(JSON.stringify(cases));
    });
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
    const isThere = isInstalled('python3', '-V');
    await installProgram({ debianPackage: 'python3', homebrewPackage: 'python', described: 'Python 3', isThere });
    writeFileSync(join(folder, 'run.py'), PYTHON);
    copyFileSync(join(EXAMPLES, 'python/verify_webhook.py'), join(folder, 'verify_webhook.py'));
    await expectOutcomes('python3', '-B', 'run.py');
  });

  it(
    'returns the expected results in Go',
    async () => {
      const isThere = isInstalled('go', 'version');
      await installProgram({ debianPackage: 'golang-go', homebrewPackage: 'go', described: 'Go', isThere });
      const module = `module example.com/run\n\ngo 1.19\n\nrequire example.com/verifywebhook v0.0.0\n\nreplace example.com/verifywebhook => ${join(EXAMPLES, 'go')}\n`;
      writeFileSync(join(folder, 'go.mod'), module);
      writeFileSync(join(folder, 'main.go'), GO);
      await expectOutcomes('go', 'run', '.');
    },
    BUILD_TIMEOUT_MS,
  );
});
