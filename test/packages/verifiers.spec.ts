import { execFile, execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebhookVerificationError, Webhooks } from '../../packages/webhooks/src/index.js';
import { startApp } from '../support/app.js';
import { installProgram } from '../support/apt-get.js';
import { startReceiver } from '../support/receiver.js';

const EXAMPLES = join(import.meta.dirname, '../../packages/webhooks/examples');
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = 1_795_300_000;
const BODY = '{"id":"evt_1","type":"user.created","data":{"firstName":"Zoë 🙂"}}';
/** The time limit of the Go build. On a new machine, Go first compiles the standard library. */
const BUILD_TIMEOUT_MS = 240_000;

/** A delivery and its result: `<type> <id>` or the error code. */
interface Case {
  name: string;
  body: string;
  headers: Record<string, string>;
  secrets: string[];
  now: number;
}

const PYTHON = `
import json, sys
from verify_webhook import WebhookVerificationError, verify_webhook
def outcome(case):
    try:
        event = verify_webhook(case["body"].encode(), case["headers"], case["secrets"], now=case["now"])
        return event["type"] + " " + event["id"]
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
		event, err := verifywebhook.Verify([]byte(each.Body), header, each.Secrets, time.Unix(each.Now, 0))
		if err != nil {
			outcomes = append(outcomes, err.Error())
		} else {
			outcomes = append(outcomes, event.Type+" "+event.ID)
		}
	}
	json.NewEncoder(os.Stdout).Encode(outcomes)
}
`;

const isInstalled = (command: string, argument: string) => (): boolean => {
  try {
    execFileSync(command, [argument], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Runs a program with the cases as JSON on standard input. Returns the results. */
function outcomesOf(command: string, args: string[], cwd: string, cases: Case[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, { cwd }, (error, stdout) => (error ? reject(error) : resolve(JSON.parse(stdout))));
    child.stdin!.end(JSON.stringify(cases));
  });
}

/** Returns the result of the JavaScript library. */
function outcomeOf({ body, headers, secrets, now }: Case): Promise<string> {
  return new Webhooks({ secret: secrets, now: () => now * 1_000 }).verify(body, headers).then(
    ({ type, id }) => `${type} ${id}`,
    (error: unknown) => (error instanceof WebhookVerificationError ? error.code : String(error)),
  );
}

const signed = (secret: string, body = BODY, at = NOW): Promise<Record<string, string>> =>
  new Webhooks({ secret, now: () => at * 1_000 }).sign(body, 'evt_1');
const only = (headers: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, headers[name]!]));
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

/** Returns a delivery of a running service. */
async function realDelivery(): Promise<Case> {
  const app = await startApp();
  const receiver = await startReceiver();
  try {
    const { platform } = app.api;
    await platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    await platform.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['*'], secret: SECRET }).expect(201);
    await platform.post('/v1/organizations/acme/users', { email: 'ada@example.com', firstName: 'Zoë 🙂' }).expect(201);
    const [request] = await receiver.waitFor(1, 20_000);
    const headers = request!.headers as Record<string, string>;
    return {
      name: 'a real delivery',
      body: request!.body.toString('utf8'),
      headers,
      secrets: [SECRET],
      now: Math.floor(Date.now() / 1_000),
    };
  } finally {
    await receiver.stop();
    await app.close();
  }
}

async function casesOf(delivery: Case): Promise<Case[]> {
  const genuine = await signed(SECRET);
  const base = { body: BODY, headers: genuine, secrets: [SECRET], now: NOW };
  const vectors = JSON.parse(readFileSync(join(import.meta.dirname, '../support/vectors/signature.json'), 'utf8')) as {
    secret: string;
    timestamp: number;
    body: string;
    header: string;
  }[];
  const secrets = [
    'x',
    'whsec_',
    'whsec_ab',
    'whsec_abcde',
    'whsec_abcdef==',
    'whsec_abc=def',
    'whsec_abc-_',
    'ünïcode ✓',
    `${SECRET}\n`,
  ];
  const cases: Case[] = [
    delivery,
    { ...delivery, name: 'its own header alone', headers: only(delivery.headers, 'service-signature') },
    { ...delivery, name: 'Standard Webhooks alone', headers: only(delivery.headers, ...STANDARD) },
    { ...delivery, name: 'a changed real delivery', body: delivery.body.replace('Zoë', 'Zoe') },
    { ...base, name: 'two secrets', secrets: ['the next', SECRET] },
    { ...base, name: 'another secret', secrets: ['another'] },
    ...[-301, -300, 300, 301].map((seconds) => ({ ...base, name: `${seconds} s from now`, now: NOW - seconds })),
    { ...base, name: 'no headers', headers: {} },
    ...[
      '',
      `t=${NOW}`,
      `t=${NOW},v1=00`,
      `t=${NOW},v1=${'A'.repeat(64)}`,
      `t=${NOW},t=${NOW},v1=${'0'.repeat(64)}`,
      `t=-1,v1=${'0'.repeat(64)}`,
    ].map((header) => ({ ...base, name: `"${header}"`, headers: { 'service-signature': header } })),
    {
      ...base,
      name: 'another version',
      headers: { ...only(genuine, ...STANDARD), 'webhook-signature': `v2,${'A'.repeat(43)}=` },
    },
    { ...base, name: 'another id', headers: { ...only(genuine, ...STANDARD), 'webhook-id': 'evt_2' } },
    ...vectors.map(({ secret, timestamp, body, header }) => ({
      name: `vector ${timestamp}`,
      body,
      secrets: [secret],
      now: timestamp,
      headers: { 'service-signature': header },
    })),
  ];
  for (const secret of secrets) {
    const headers = only(await signed(secret), ...STANDARD);
    cases.push({ ...base, name: `secret ${JSON.stringify(secret)}`, headers, secrets: [secret] });
  }
  for (const body of ['', 'no json', 'null', '[]', '{"id":"evt_1"}']) {
    cases.push({ ...base, name: `signed ${JSON.stringify(body)}`, body, headers: await signed(SECRET, body) });
  }
  return cases;
}

describe('a webhook verifier', () => {
  let cases: Case[];
  let expected: Record<string, string>;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'verifiers-'));
    cases = await casesOf(await realDelivery());
    expected = Object.fromEntries(await Promise.all(cases.map(async (each) => [each.name, await outcomeOf(each)] as const)));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const byName = (outcomes: string[]): Record<string, string> =>
    Object.fromEntries(cases.map(({ name }, index) => [name, outcomes[index]!]));

  it('returns every kind of result in JavaScript', () => {
    expect(expected['a real delivery']).toMatch(/^[a-z_.]+ evt_/);
    expect(new Set(Object.values(expected).map((outcome) => outcome.split(' ')[0]))).toEqual(
      new Set([
        expected['a real delivery']!.split(' ')[0],
        'user.created',
        'signature_missing',
        'signature_mismatch',
        'timestamp_out_of_tolerance',
        'body_invalid',
      ]),
    );
  });

  it('returns the JavaScript results in Python', async () => {
    await installProgram({
      debianPackage: 'python3',
      homebrewPackage: 'python',
      described: 'Python 3',
      isThere: isInstalled('python3', '-V'),
    });
    writeFileSync(join(folder, 'run.py'), PYTHON);
    copyFileSync(join(EXAMPLES, 'python/verify_webhook.py'), join(folder, 'verify_webhook.py'));
    expect(byName(await outcomesOf('python3', ['-B', 'run.py'], folder, cases))).toEqual(expected);
  });

  it(
    'returns the JavaScript results in Go',
    async () => {
      await installProgram({
        debianPackage: 'golang-go',
        homebrewPackage: 'go',
        described: 'Go',
        isThere: isInstalled('go', 'version'),
      });
      const module = `module example.com/run\n\ngo 1.19\n\nrequire example.com/verifywebhook v0.0.0\n\nreplace example.com/verifywebhook => ${join(EXAMPLES, 'go')}\n`;
      writeFileSync(join(folder, 'go.mod'), module);
      writeFileSync(join(folder, 'main.go'), GO);
      expect(byName(await outcomesOf('go', ['run', '.'], folder, cases))).toEqual(expected);
    },
    BUILD_TIMEOUT_MS,
  );
});
