import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhooks } from '../../packages/webhooks/src/index.js';
import { eventually } from '../support/delivery-app.js';
import { findFreePort } from '../support/free-port.js';
import { signedIn } from '../support/signed-in.js';
import { startReceiver } from '../support/receiver.js';
import { testApp } from '../support/test-app.js';
import { missingInOutput } from './samples/shown-output.js';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/dist/identity-service.js');
const WAIT_MS = 20_000;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

describe('the command-line interface', () => {
  const app = testApp();
  let homeFolder: string;
  const running: ChildProcess[] = [];

  const environment = (more: Record<string, string> = {}): NodeJS.ProcessEnv => ({
    PATH: process.env['PATH'],
    XDG_CONFIG_HOME: homeFolder,
    ...more,
  });
  const run = (
    args: string[],
    { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
  ): Promise<Outcome> =>
    new Promise((resolve) => {
      const child = execFile(process.execPath, [PROGRAM, ...args], { env: environment(env) }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
      // A command that reads no input can end before the test writes the input (EPIPE).
      child.stdin!.on('error', () => undefined);
      child.stdin!.end(input);
    });
  /** Runs a command and returns its parsed JSON output. */
  const json = async (...args: string[]): Promise<ReturnType<typeof JSON.parse>> => {
    const { code, stdout, stderr } = await run([...args, '--json']);
    if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };
  /** Starts a command that runs until the test stops the command. */
  const start = async (
    args: string[],
    readyWhen: RegExp,
  ): Promise<{ lines: () => string[]; printed: () => string; end: () => Promise<number | null> }> => {
    const child = spawn(process.execPath, [PROGRAM, ...args], { env: environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    running.push(child);
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    await until(() => readyWhen.test(err));
    return {
      lines: () => out.split('\n').filter(Boolean),
      printed: () => err + out,
      end: async () => {
        child.kill('SIGINT');
        await once(child, 'exit');
        return child.exitCode;
      },
    };
  };
  const until = (condition: () => boolean): Promise<void> => eventually(condition, WAIT_MS, String(condition));

  beforeAll(async () => {
    homeFolder = mkdtempSync(join(tmpdir(), 'cli-'));
    const { code, stderr } = await run(['login', '--base-url', `${app.url}/`, '-o', 'acme'], { input: `${app.platformKey}\n` });
    expect([code, stderr]).toEqual([0, '']);
    await json('organizations', 'create', '--name', 'Acme', '--slug', 'acme');
  });
  afterEach(() => running.splice(0).forEach((child) => child.kill('SIGKILL')));
  afterAll(async () => {
    rmSync(homeFolder, { recursive: true });
  });

  it('signs a user in with a code, refreshes the tokens once for all its instances, and signs out', async () => {
    const home = mkdtempSync(join(tmpdir(), 'cli-device-'));
    const env = { XDG_CONFIG_HOME: home };
    const acme = await json('organizations', 'get', 'acme');
    const ada = await signedIn(app, acme.id, { roles: ['admin'] });
    const child = spawn(process.execPath, [PROGRAM, 'login', '--device', '--base-url', app.url, '-o', 'acme'], {
      env: environment(env),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    running.push(child);
    let shown = '';
    child.stderr.on('data', (chunk) => (shown += chunk));
    await until(() => /compare the code/.test(shown));
    const userCode = /enter the code (\S+)/.exec(shown)![1];
    const { body } = await ada.client.post('/v1/oauth/device-requests', { userCode }).expect(200);
    expect(body.data.application).toMatchObject({ id: 'app_command_line', organizationName: null });
    const answer = { userCode, organizationId: body.data.organization.id };
    await ada.client.post('/v1/oauth/device-requests/approval', answer).expect(204);
    await once(child, 'exit');
    const path = join(home, 'identity-service/config.json');
    expect([child.exitCode, statSync(path).mode & 0o777]).toEqual([0, 0o600]);
    const config = JSON.parse(readFileSync(path, 'utf8'));
    writeFileSync(path, JSON.stringify({ ...config, signIn: { ...config.signIn, expiresAt: 0 } }));
    const outcomes = await Promise.all([1, 2, 3].map(() => run(['users', 'list', '--json'], { env })));
    expect(outcomes.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3].map(() => [0, '']));
    expect(outcomes[0]!.stdout).toContain(ada.email);
    const { signIn } = JSON.parse(readFileSync(path, 'utf8'));
    expect(signIn.refreshToken).not.toBe(config.signIn.refreshToken);
    expect((await run(['logout'], { env })).stdout).toBe('Signed out.\n');
    await app.api.as(signIn.accessToken).get('/v1/organizations/acme/users').expect(401);
    expect((await run(['users', 'list', '--base-url', app.url], { env })).code).toBe(3);
    rmSync(home, { recursive: true });
  });

  it('stores the key in a file that only the user can read', async () => {
    const path = join(homeFolder, 'identity-service/config.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(join(homeFolder, 'identity-service')).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      baseUrl: app.url,
      apiKey: app.platformKey,
      organization: 'acme',
    });
    const status = await run(['status']);
    expect(status.stdout).toMatch(/^organization +acme$/m);
    expect(status.stdout).not.toContain(app.platformKey);
    expect(await run(['users', 'list', '--base-url', 'http://localhost:9'])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/no API key/),
    });
  });

  it('rejects an invalid key', async () => {
    const env = { XDG_CONFIG_HOME: join(homeFolder, 'other') };
    const refused = await run(['login', '--base-url', app.url], { env, input: 'service_sk_wrong' });
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('unauthenticated') });
    expect((await run(['login', '--base-url', app.url], { env, input: app.platformKey })).code).toBe(0);
    expect((await run(['organizations', 'list', '--base-url', app.url], { env })).code).toBe(0);
    expect((await run(['logout'], { env })).code).toBe(0);
    expect((await run(['organizations', 'list', '--base-url', app.url], { env })).code).toBe(3);
  });

  it('creates, lists, updates and deletes users', async () => {
    const ada = 'users create --email ada@example.com --first-name Ada --role admin --data {"metadata":{"a":1}}';
    const made = await json(...ada.split(' '));
    const changed = await json('users', 'update', made.id, '--last-name', 'Lovelace');
    expect(changed).toMatchObject({ firstName: 'Ada', lastName: 'Lovelace', metadata: { a: 1 } });
    const list = await run(['users', 'list', '--search', 'ada']);
    expect(list.stdout.split('\n')).toEqual([
      expect.stringMatching(/^EMAIL +NAME +STATUS +ROLES +ID$/),
      expect.stringMatching(new RegExp(`^ada@example.com +Ada Lovelace +pending +admin +${made.id}$`)),
      '',
    ]);
    expect((await json('users', 'suspend', made.id, '--reason', 'left')).status).toBe('suspended');
    expect((await json('users', 'activate', made.id)).status).toBe('active');
    const asked = await run(['users', 'delete', made.id]);
    expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await json('users', 'delete', made.id, '--permanent', '--yes')).toEqual({ deleted: made.id });
    expect(await run(['users', 'get', made.id])).toMatchObject({ code: 4, stderr: expect.stringContaining('user_not_found') });
  });

  it('lists more items than one page', async () => {
    const { platform } = app.api;
    const line = (index: number): string => JSON.stringify({ email: `many-${index}@example.com` });
    const lines = Array.from({ length: 105 }, (_, index) => line(index)).join('\n');
    await platform
      .raw('POST', '/v1/organizations/acme/users/import', lines, { 'content-type': 'application/x-ndjson' })
      .expect(200);
    expect(await json('users', 'list', '--search', 'many-', '--limit', '103')).toHaveLength(103);
    const few = await run(['users', 'list', '--search', 'many-', '--limit', '2']);
    expect(few).toMatchObject({ code: 0, stderr: 'Showing 2 of 105. Use --limit to show more.\n' });
    expect(few.stdout.trim().split('\n')).toHaveLength(3);
  });

  it('imports a file in parts, and continues where it was interrupted', async () => {
    const file = join(homeFolder, 'users.ndjson');
    const blank = 100_000;
    writeFileSync(file, `${'\n'.repeat(blank)}{"email":"parts@example.com"}\n{"email":"no address"}\n`);
    expect(await run(['users', 'import', file, '--preview'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^100002: invalid_email \/email: .*\nPreview of 100002 lines: 1 created, 0 updated, 0 unchanged, 1 failed\.\n$/,
      ),
    });
    const interrupted = await start(['users', 'import', file], /^Reading /);
    expect(await interrupted.end()).toBe(1);
    const line = /Stopped after line (\d+)/.exec(interrupted.printed())?.[1];
    expect(Number(line)).toBeLessThan(blank);
    const rest = await run(['users', 'import', file]);
    expect(rest).toMatchObject({ code: 1, stdout: expect.stringContaining('Imported 100002 lines: 1 created') });
    expect(rest.stderr).toContain(`Continuing after line ${line}.`);
    expect(await run(['users', 'import', file])).toMatchObject({ stdout: expect.stringContaining('1 unchanged') });
  });

  it('replaces control characters in the output', async () => {
    await json('roles-are-not-there').catch((error: Error) => expect(error.message).toMatch(/ended with 2/));
    await app.api.platform.post('/v1/organizations/acme/users', { email: 'evil@example.com', firstName: 'E' }).expect(201);
    // The API rejects such a name, but earlier versions stored it.
    await app.database.query('UPDATE users SET first_name = $1 WHERE email = $2', ['E\u009B31m\u202Evil', 'evil@example.com']);
    const { stdout } = await run(['users', 'list', '--email', 'evil@example.com']);
    expect(stdout).toContain('E?31m?vil');
  });

  it('creates, rotates and revokes API keys', async () => {
    const made = await json('keys', 'create', '--name', 'sync', '--scope', 'users:read,events:*');
    const asKey = (key: string): Promise<Outcome> =>
      run(['users', 'list', '--limit', '1', '--json', '--base-url', app.url], { env: { IDENTITY_SERVICE_API_KEY: key } });
    expect((await asKey(made.key)).code).toBe(0);
    const refused = await run(['users', 'create', '--email', 'x@example.com'], { env: { IDENTITY_SERVICE_API_KEY: made.key } });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/users:write.*\(forbidden, req_/) });
    const next = await json('keys', 'rotate', made.id);
    expect((await asKey(next.key)).code).toBe(0);
    expect(await json('keys', 'revoke', next.id, '-y')).toEqual({ revoked: next.id });
    expect((await asKey(next.key)).code).toBe(3);
    expect((await run(['keys', 'list'])).stdout).toMatch(/^NAME/);
  });

  it('creates, tests, updates and deletes webhooks', async () => {
    const receiver = await startReceiver();
    try {
      const made = await json('webhooks', 'create', '--url', receiver.url, '--events', 'user.*, role.assigned');
      expect(made.events).toEqual(['user.*', 'role.assigned']);
      expect((await json('webhooks', 'secret', made.id)).secret).toBe(made.secret);
      expect(await json('webhooks', 'test', made.id, 'user.login')).toMatchObject({ success: true, responseCode: 200 });
      expect(await json('trigger', 'security.suspicious_activity', '--webhook', made.id)).toMatchObject({ success: true });
      expect(receiver.requests.map(({ body }) => JSON.parse(body.toString()).type)).toEqual([
        'user.login',
        'security.suspicious_activity',
      ]);
      expect(await json('webhooks', 'deliveries', made.id)).toHaveLength(2);
      expect((await json('webhooks', 'update', made.id, '--disable')).enabled).toBe(false);
      expect((await run(['webhooks', 'list'])).stdout).toMatch(/no \(hand\)/);
      await receiver.stop();
      expect((await run(['webhooks', 'test', made.id])).code).toBe(1);
      expect((await run(['webhooks', 'delete', made.id, '--yes'])).code).toBe(0);
    } finally {
      await receiver.stop().catch(() => undefined);
    }
  });

  it('forwards signed webhook deliveries to a local program', async () => {
    const receiver = await startReceiver();
    const secret = (await run(['listen', '--print-secret'])).stdout.trim();
    expect(secret).toMatch(/^whsec_/);
    expect((await run(['listen', '--print-secret'])).stdout.trim()).toBe(secret);
    const hook = await startReceiver();
    await json('webhooks', 'create', '--url', hook.url, '--events', '*', '--secret', secret);
    const listening = await start(
      ['listen', '--forward-to', `${receiver.url}hooks`, '--events', 'user.created,organization.*'],
      /Forwarding events/,
    );
    const user = await json('trigger', 'user.created');
    await json('trigger', 'role.created');
    const below = await json('trigger', 'organization.created');
    await json('users', 'create', '--email', 'below@example.com', '-o', below.slug);
    await json('trigger', 'organization.updated');
    const requests = await receiver.waitFor(3, WAIT_MS);
    await until(() => listening.lines().length === 3);
    expect(await listening.end()).toBe(0);
    expect(receiver.requests).toHaveLength(3);

    const webhooks = new Webhooks({ secret });
    const events = await Promise.all(requests.map(({ body, headers }) => webhooks.verify(body, headers)));
    expect(events.map(({ type }) => type).sort()).toEqual(['organization.created', 'organization.updated', 'user.created']);
    const created = requests.find(({ body }) => body.includes('"user.created"'))!;
    expect(JSON.parse(created.body.toString()).data.id).toBe(user.id);
    // The request equals the delivery of the service byte for byte.
    await hook.waitFor(4, WAIT_MS);
    expect(hook.requests.map(({ body }) => body.toString())).toEqual(
      expect.arrayContaining(requests.map(({ body }) => body.toString())),
    );
    expect(listening.lines().every((line) => / {2}200 {2}\d+ ms$/.test(line))).toBe(true);
    expect(missingInOutput('docs/guides/command-line.md', 'listen --forward-to', listening.printed())).toEqual([]);
    await Promise.all([receiver.stop(), hook.stop()]);
  });

  it('continues if the local program does not respond', async () => {
    const listening = await start(
      ['listen', '--forward-to', `http://127.0.0.1:${await findFreePort()}/`, '--json'],
      /Forwarding events/,
    );
    await json('trigger', 'role.created');
    await json('trigger', 'role.created');
    await until(() => listening.lines().length === 2);
    expect(listening.lines().map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({ type: 'role.created', error: 'ECONNREFUSED' }),
      expect.objectContaining({ type: 'role.created', error: 'ECONNREFUSED' }),
    ]);
    expect(await listening.end()).toBe(0);
    expect((await run(['listen'])).code).toBe(2);
    expect((await run(['listen', '--forward-to', 'ftp://x'])).code).toBe(2);
  });

  it('exports, plans, applies and compares the configuration', async () => {
    await json('organizations', 'create', '--name', 'Coded', '--slug', 'coded');
    const [file, env] = ['-', { IDENTITY_SERVICE_ORGANIZATION: 'coded' }];
    const configuration = (command: string, input: string, ...more: string[]): Promise<Outcome> =>
      run(['configuration', command, file, ...more], {
        env: { ...env, CODED_BILLING_SECRET: 'secret of the environment' },
        input,
      });
    const webhook = { name: 'Billing', url: 'https://127.0.0.1:9/hooks', events: ['user.*'], secret: '${CODED_BILLING_SECRET}' };
    const roles = [{ name: 'billing', permissions: ['invoices:pay'] }];
    const wanted = JSON.stringify({ version: 1, organizations: [{ slug: 'coded', roles, webhooks: [webhook] }] });

    const plan = await configuration('plan', wanted);
    expect(plan.stdout).toMatch(
      /^\+ coded roles "billing"\n {4}permissions: - → \["invoices:pay"\]\n.*2 to create, 0 to update, 0 to delete\.\n$/s,
    );
    expect((await configuration('drift', wanted)).code).toBe(1);
    expect(await configuration('apply', wanted)).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(await configuration('apply', wanted, '--yes', '--state', 'another')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('configuration_changed'),
    });
    expect(await configuration('apply', wanted, '--yes')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Made 2 changes.'),
    });
    const [{ id }] = await json('webhooks', 'list', '-o', 'coded');
    expect((await json('webhooks', 'secret', id, '-o', 'coded')).secret).toBe('secret of the environment');

    const exported = (await run(['configuration', 'export'], { env })).stdout;
    expect(exported).toMatch(/^version: 1\norganizations:\n {2}- slug: coded\n.*secret: \$\{CODED_BILLING_SECRET\}\n/s);
    expect(await configuration('drift', exported)).toMatchObject({ code: 0, stdout: '0 to create, 0 to update, 0 to delete.\n' });
    await app.api.platform.post('/v1/organizations/acme/roles', { name: 'billing', permissions: ['invoices:pay'] }).expect(201);
    for (const email of ['a@paying.example', 'b@paying.example'])
      await app.api.platform.post('/v1/organizations/acme/users', { email, roles: ['billing'] }).expect(201);
    const changed = {
      slug: 'acme',
      settings: { requireMfa: true },
      roles: [{ ...roles[0], permissions: ['invoices:pay', 'invoices:read'] }],
    };
    const input = JSON.stringify({ version: 1, organizations: [changed] });
    const { stdout, stderr } = await run(['configuration', 'plan', '-', '-o', 'acme'], { input });
    expect(missingInOutput('docs/guides/configuration.md', 'configuration plan', stdout + stderr)).toEqual([]);
    const refused = await configuration('plan', exported.replace('invoices:pay', 'nonsense'));
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('validation_failed') });
    expect(refused.stderr).toContain('\n  /document/organizations/0/roles/0/permissions/0: ');
    expect(await configuration('plan', '{')).toMatchObject({ code: 2, stderr: expect.stringMatching(/^Can't read -: /) });
  });

  it('prints new events of the event log', async () => {
    const tail = await start(['events', 'tail', '--type', 'role.*', '--json'], /Waiting for events/);
    const role = await json('trigger', 'role.created');
    await json('trigger', 'user.created');
    const deleted = await json('trigger', 'role.deleted');
    await until(() => tail.lines().length === 3);
    const events = tail.lines().map((line) => JSON.parse(line) as { type: string; data: { id: string } });
    expect(events.map(({ type }) => type)).toEqual(['role.created', 'role.created', 'role.deleted']);
    expect([events[0]!.data.id, events[2]!.data.id]).toEqual([role.id, deleted.id]);
    expect(await tail.end()).toBe(0);
    expect((await run(['events', 'list', '--type', 'role.deleted'])).stdout).toMatch(/role\.deleted +trigger-[0-9a-f]{8} /);
  });

  it('triggers each event that the API can cause', async () => {
    const refused = await run(['trigger', 'user.login']);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/--webhook <id>.*user\.created, /) });
    const expected = {
      'user.updated': ['user.created'],
      'user.deleted': ['user.created'],
      'user.suspended': ['user.created'],
      'user.activated': ['user.created'],
      'user.login_failed': ['user.created'],
      'organization.moved': ['organization.created', 'organization.created'],
      'organization.deleted': ['organization.created'],
      'organization.member_added': ['user.created'],
      'organization.member_removed': ['user.created'],
      'role.updated': ['role.created'],
      'role.assigned': ['user.created'],
      'role.revoked': ['user.created', 'role.assigned'],
      'security.api_key_created': [],
      'security.api_key_revoked': ['security.api_key_created'],
    };
    const before = (await app.eventTypes()).length;
    await Promise.all(Object.keys(expected).map((type) => json('trigger', type)));
    const happened = (await app.eventTypes()).slice(before);
    expect(happened.sort()).toEqual(Object.entries(expected).flat(2).sort());
  });

  it('returns a distinct exit code for each kind of error', async () => {
    expect((await run(['users', 'create'])).code).toBe(2);
    expect((await run(['users', 'create', '--email', 'nonsense'])).code).toBe(1);
    for (const data of ['{', '{"metadata":{"id":1546130668394913822}}'])
      expect((await run(['users', 'create', '--email', 'x@example.com', '--data', data])).code).toBe(2);
    expect((await run(['usrs'])).stderr).toMatch(/Did you mean users/);
    expect((await run(['trigger', 'user.renamed'])).stderr).toMatch(/Allowed choices are/);
    const unreachable = {
      env: { IDENTITY_SERVICE_API_KEY: 'k', IDENTITY_SERVICE_BASE_URL: `http://127.0.0.1:${await findFreePort()}` },
    };
    expect(await run(['users', 'list'], unreachable)).toMatchObject({ code: 5, stderr: expect.stringMatching(/ECONNREFUSED/) });
    expect((await run(['--help'])).stdout).toMatch(/Exit codes/);
    expect((await run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  describe('shell completion', () => {
    const candidates = async (...words: string[]): Promise<string[]> =>
      (await run(['__complete', '--', ...words])).stdout.split('\n').filter(Boolean);

    it('completes commands, options and values', async () => {
      expect(await candidates('')).toEqual(expect.arrayContaining(['login', 'users', 'listen', 'trigger']));
      expect(await candidates('us')).toEqual(['users']);
      expect(await candidates('users', '')).toEqual([
        'list',
        'get',
        'create',
        'update',
        'suspend',
        'activate',
        'delete',
        'import',
      ]);
      expect(await candidates('-o', 'acme', 'users', 'li')).toEqual(['list']);
      expect(await candidates('users', 'list', '--st')).toEqual(['--status']);
      expect(await candidates('users', 'list', '--status', 's')).toEqual(['suspended']);
      expect(await candidates('trigger', 'role.a')).toEqual(['role.assigned']);
      expect(await candidates('webhooks', 'test', 'wh_1', 'user.login')).toEqual(['user.login', 'user.login_failed']);
    });

    it('works in bash', async () => {
      const { stdout } = await run(['completion', 'bash']);
      const asked = `identity-service() { "${process.execPath}" "${PROGRAM}" "$@"; }\n${stdout}
COMP_WORDS=(identity-service users su); COMP_CWORD=2; _identity_service; echo "\${COMPREPLY[@]}"; complete -p identity-service`;
      const bash = await new Promise<string>((resolve, reject) =>
        execFile('bash', ['-c', asked], (error, out) => (error ? reject(error) : resolve(out))),
      );
      expect(bash).toBe('suspend\ncomplete -o default -F _identity_service identity-service\n');
    });
  });
});
