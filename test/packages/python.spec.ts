import { spawn } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { pythonTools } from '../../scripts/python-tools.mjs';
import { startApp, type TestApp } from '../support/app.js';
import { findFreePort } from '../support/free-port.js';
import { realDelivery, SECRET } from './deliveries.js';
import { type Proxy, startProxy } from './proxy.js';
import { PythonConsole } from './python/console.js';
import { FOLDER, installPackage, PYTHON, ROOT, run, SET_UP, VERSION } from './python/installed-package.js';
import { type CallResult, testRetries } from './resilience.js';
import { Quickstart } from './samples/quickstart.js';

/** The first run downloads the tools and checks all files with mypy. */
const INSTALL_TIMEOUT_MS = 600_000;

const document = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as {
  paths: Record<string, Record<string, { operationId?: string }>>;
};
const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The samples of the README: first samples of the client, then samples of a receiver. Each sample uses variables of earlier samples. */
const samples = [...readFileSync(join(ROOT, 'packages/python/README.md'), 'utf8').matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(
  (match) => match[1]!,
);
const [clientGuide, receiverGuide] = [samples.slice(0, 4).join('\n'), samples.slice(4).join('\n')];

describe('the Python client', () => {
  let app: TestApp;
  let proxy: Proxy;
  let python: PythonConsole;
  let quickstart: Quickstart;

  beforeAll(async () => {
    [app] = await Promise.all([startApp(), installPackage()]);
    proxy = await startProxy(app.url);
    python = new PythonConsole(PYTHON, { BASE_URL: app.url, PROXY_URL: proxy.url, API_KEY: app.platformKey });
    await python.run(SET_UP);
    quickstart = await Quickstart.of('test/packages/python.spec.ts', app);
    for (const [name, code] of Object.entries(quickstart.programs)) writeFileSync(join(FOLDER, `${name}.py`), code);
  }, INSTALL_TIMEOUT_MS);
  afterAll(async () => {
    await python?.stop();
    await proxy?.stop();
    await app?.close();
  });

  it(
    'passes mypy --strict with all documented samples',
    async () => {
      copyFileSync(join(import.meta.dirname, 'python/typed.py'), join(FOLDER, 'typed.py'));
      writeFileSync(join(FOLDER, 'client_guide.py'), clientGuide);
      writeFileSync(join(FOLDER, 'receiver_guide.py'), receiverGuide);
      const options = ['--strict', '--python-executable', PYTHON, '--cache-dir', 'mypy-cache'];
      const modules = ['typed', 'client_guide', 'receiver_guide', ...Object.keys(quickstart.programs)];
      const checked = ['-p', 'identity_service', ...modules.flatMap((name) => ['-m', name])];
      const { stdout } = await run(join(await pythonTools(), 'mypy'), [...options, ...checked], { cwd: FOLDER }).catch(
        (failure: { stdout: string }) => failure,
      );
      expect(stdout).toMatch(/^Success: no issues found/);
    },
    INSTALL_TIMEOUT_MS,
  );

  it('has a method for each operation', async () => {
    const [methods, installedVersion] = await python.run<[string[], string]>(
      'result = [dir(IdentityClient), importlib.metadata.version("identity-service")]',
    );
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
    const expected = operations.filter((id) => id !== undefined).map(snakeCase);
    expect(expected.length).toBeGreaterThan(100);
    expect(expected.filter((name) => !methods.includes(name))).toEqual(['stream_events']);
    expect(methods).toContain('follow_events');
    expect(installedVersion).toBe(VERSION);
  });

  it('returns the documented results of the README', async () => {
    const slug = 'acme-of-the-guide';
    const ADA = { email: 'ada@example.com' };
    const program = clientGuide
      .replace('http://localhost:3000', app.url)
      .replace('create_organization(name="Acme")', `create_organization(name="Acme", slug="${slug}")`)
      .replaceAll('"acme"', `"${slug}"`)
      .replaceAll('/acme', `/${slug}`);
    writeFileSync(join(FOLDER, 'guide.py'), program);
    const child = spawn(PYTHON, ['-u', 'guide.py'], { cwd: FOLDER, env: { ...process.env, API_KEY: app.platformKey } });
    const printed: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      printed.push(line);
      if (line.startsWith('id,')) await app.api.platform.post(`/v1/organizations/${slug}/users`, ADA).expect(201);
      // The last sample follows events until the program ends.
      if (line.endsWith('is new')) break;
    }
    child.kill();
    expect(printed).toEqual([
      'ada@example.com',
      expect.stringMatching(/^The slug ".*" is already taken/),
      '0 of 0',
      'Engines',
      expect.stringMatching(/^id,/),
      expect.stringMatching(/^\d+: ada@example.com is new$/),
    ]);
  });

  it('returns the documented results of the quickstart', async () => {
    const env = { ...process.env, PATH: `${await pythonTools()}:${process.env['PATH']}`, PIP_PYTHON: PYTHON };
    await run('bash', ['-ec', quickstart.install], { cwd: FOLDER, env });
    await quickstart.run(FOLDER, (name) => [PYTHON, '-u', `${name}.py`]);
  });

  it('creates, reads, updates and deletes a resource', async () => {
    const outcome = await python.run(`
      made = identity.create_user(org, email="ada@example.com", first_name="Ada", metadata={"team": "engines"})
      etag = identity.http.get(f"/v1/organizations/{org}/users/{made.id}").headers["etag"]
      changed = identity.update_user(org, made.id, last_name="Lovelace", if_match=etag)
      late = failure(lambda: identity.update_user(org, made.id, last_name="Byron", if_match=etag))
      read = identity.get_user(org, made.id)
      deleted = identity.delete_user(org, made.id, permanent=True)
      missing = failure(lambda: identity.get_user(org, made.id))
      result = [made.status, changed.last_name, late["code"], read.metadata["team"], deleted, missing]
    `);
    const missing = { name: 'NotFoundError', status: 404, code: 'user_not_found', request_id: expect.stringMatching(/^req_/) };
    expect(outcome).toEqual(['pending', 'Lovelace', 'precondition_failed', 'engines', null, expect.objectContaining(missing)]);
  });

  it('iterates over all pages of a list', async () => {
    const outcome = await python.run(`
      emails = [f"page-{index}@example.com" for index in range(7)]
      for email in emails:
          identity.create_user(org, email=email)
      users = identity.list_users(org, search="page-", limit=3)
      page = users.page()
      second = [user.email for user in identity.list_users(org, search="page-", limit=3, page=2)]
      members = [member.user_id for member in identity.list_members(org, limit=2)]
      result = {
          "all": [user.email for user in users] == emails[::-1],
          "first": [user.email for user in itertools.islice(users, 4)] == emails[:2:-1],
          "page": [len(page.data), page.pagination.total, page.pagination.has_more],
          "fromSecond": second == emails[3::-1],
          "pages": len(list(users.pages())),
          "members": [len(members), len(set(members)), identity.list_members(org).page().pagination.total],
          "roles": "owner" in [role.name for role in identity.list_roles(org)],
      }
    `);
    expect(outcome).toEqual({
      all: true,
      first: true,
      page: [3, 7, true],
      fromSecond: true,
      pages: 3,
      members: [7, 7, 7],
      roles: true,
    });
  });

  it('raises an error with the code and fields of the response', async () => {
    const outcome = await python.run(`
      try:
          identity.create_user(org, email="no address")
      except ApiError as error:
          fields = [[field.pointer, field.in_] for field in error.errors]
      try:
          identity.get_organization(org, as_of=datetime.datetime(2001, 1, 1, tzinfo=datetime.timezone.utc))
      except ApiError as error:
          too_early = [error.code, error.earliest.isoformat()]
      nobody = IdentityClient(os.environ["BASE_URL"], api_key="service_sk_wrong")
      result = [
          failure(lambda: identity.create_organization(name="Acme", slug=org)),
          fields,
          too_early,
          failure(lambda: nobody.list_users(org).page()),
          failure(lambda: identity.get_user(org, "../../organizations"))["code"],
      ]
    `);
    expect(outcome).toEqual([
      expect.objectContaining({ name: 'ConflictError', code: 'slug_taken', message: expect.stringMatching(/already taken/) }),
      [['/email', 'body']],
      ['history_unavailable', expect.stringMatching(/^20\d\d-/)],
      expect.objectContaining({ name: 'AuthenticationError', status: 401, code: 'unauthenticated' }),
      'user_not_found',
    ]);
  });

  it('accepts fields that a newer version of the service adds', async () => {
    const outcome = await python.run(`
      response = httpx.Response(200, json={"status": "new", "added": 1})
      newer = IdentityClient("http://localhost", transport=httpx.MockTransport(lambda request: response))
      liveness = newer.get_liveness()
      result = [liveness.status, liveness["added"]]
    `);
    expect(outcome).toEqual(['new', 1]);
  });

  it('rejects an invalid service URL', async () => {
    await expect(python.run('IdentityClient("localhost")')).rejects.toThrow(/is not a URL/);
    for (const id of ['', '.', '..'])
      await expect(python.run(`identity.get_user(org, "${id}")`)).rejects.toThrow(/ValueError: "id" must not be/);
  });

  it('imports and exports users', async () => {
    const outcome = await python.run(`
      lines = identity.import_users(org, content='{"email":"import-1@example.com"}\\n{"email":"import-2@example.com"}\\n')
      csv = identity.import_users(org, content="email\\nimport-3@example.com\\n", content_type="text/csv")
      exported = identity.export_users(org, search="import-", format_="csv")
      result = [len(lines.splitlines()), csv.splitlines()[-1], len(exported.splitlines())]
    `);
    expect(outcome).toEqual([3, expect.stringMatching(/"created":1/), 4]);
  });

  testRetries(() => {
    const outcome = async (call: string): Promise<CallResult> => {
      const [value, error] = await python.run<[string, Record<string, unknown> | null]>(`
        value = []
        error = failure(lambda: value.append(${call}))
        result = [value[0] if value else None, error]
      `);
      return error === null ? { value } : { ...error, retryAfterSeconds: error['retry_after_seconds'] as number };
    };
    return {
      app,
      proxy,
      userAgent: new RegExp(`^identity-service-python/${VERSION}$`),
      getOrganization: (isImpatient) =>
        outcome(`unreliable${isImpatient ? '.with_options(timeout=0.2, retries=1)' : ''}.get_organization(org).slug`),
      createUser: (email, idempotencyKey) =>
        outcome(
          `unreliable.create_user(org, email="${email}"${idempotencyKey ? `, idempotency_key="${idempotencyKey}"` : ''}).email`,
        ),
      signIn: () => outcome('unreliable.login(organization=org, email="ada@example.com", password="wrong")'),
    };
  });

  it('raises typed errors', async () => {
    const nameAfter = (behavior: Parameters<Proxy['plan']>[0]): Promise<unknown> => {
      proxy.plan(behavior);
      const get = 'unreliable.with_options(timeout=1, retries=0).get_organization(org)';
      return python.run(`result = failure(lambda: ${get})["name"]`);
    };
    expect(await nameAfter('silence')).toBe('ApiTimeoutError');
    expect(await nameAfter('lose-response')).toBe('ApiConnectionError');
    expect(await nameAfter({ status: 429 })).toBe('RateLimitError');
    expect(await nameAfter({ status: 409 })).toBe('ConflictError');
    expect(await nameAfter({ status: 502 })).toBe('ApiError');
    const unreachable = await python.run(
      `result = failure(lambda: IdentityClient("http://127.0.0.1:${await findFreePort()}", retries=1).get_liveness())`,
    );
    expect(unreachable).toMatchObject({ name: 'ApiConnectionError', text: expect.stringMatching(/refused/) });
  });

  it('receives events without gaps or duplicates after a lost connection', async () => {
    proxy.plan();
    await python.run(`
      followed = []
      def follow():
          for event in unreliable.follow_events(org, type_="role.created"):
              followed.append(parse_event(event).data.description)
      threading.Thread(target=follow, daemon=True).start()
    `);
    const createRole = (name: string, description: string): Promise<unknown> =>
      python.run(`identity.create_role(org, name="${name}", description=${JSON.stringify(description)})`);
    const followed = async (count: number): Promise<string[]> => {
      const descriptions = await python.run<string[]>('result = followed');
      return descriptions.length >= count ? descriptions : sleep(50).then(() => followed(count));
    };
    while (proxy.seen.length === 0) await sleep(20);
    // The service sends the current position before the first event.
    await sleep(500);
    proxy.cut();
    await createRole('first', 'while disconnected');
    await followed(1);
    await createRole('second', 'Zoë 🙂');
    await followed(2);
    proxy.cut();
    await createRole('third', 'after a second loss');
    expect(await followed(3)).toEqual(['while disconnected', 'Zoë 🙂', 'after a second loss']);
    expect(proxy.seen.some(({ headers }) => headers['last-event-id'])).toBe(true);
  });

  it('ends the stream at the time of the until option', async () => {
    const outcome = await python.run(`
      year = datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC)
      now = datetime.datetime.now(datetime.UTC)
      events = [event.type_ for event in identity.follow_events(org, since=year, until=now, type_="organization.*")]
      result = [events, failure(lambda: next(identity.follow_events("nowhere")))["code"]]
    `);
    expect(outcome).toEqual([['organization.created'], 'organization_not_found']);
  });

  it('returns a typed event for a delivery', async () => {
    const delivery = await realDelivery(app);
    writeFileSync(join(FOLDER, 'user-created.json'), delivery.body);
    const outcome = await python.run(`
      body = open(${JSON.stringify(join(FOLDER, 'user-created.json'))}, "rb").read()
      headers = json.loads(${JSON.stringify(JSON.stringify(delivery.headers))})
      webhooks = Webhooks(["the next secret", "${SECRET}"])
      event = webhooks.verify(body, headers)
      def at(seconds):
          with unittest.mock.patch("time.time", return_value=time.time() + seconds):
              return webhooks.verify(body, headers).type_
      upper_case = {name.title(): value for name, value in headers.items()}
      result = [
          [type(event).__name__, event.data.first_name, type(webhooks.verify(body.decode(), upper_case)).__name__],
          failure(lambda: webhooks.verify(body + b" ", headers))["code"],
          failure(lambda: Webhooks("another secret").verify(body, headers))["code"],
          [at(290), failure(lambda: at(302))["code"]],
          failure(lambda: webhooks.verify(body, {}))["code"],
      ]
    `);
    expect(outcome).toEqual([
      ['UserCreatedEvent', 'Zoë 🙂', 'UserCreatedEvent'],
      'signature_mismatch',
      'signature_mismatch',
      ['user.created', 'timestamp_out_of_tolerance'],
      'signature_missing',
    ]);
  });

  it('returns events of unknown types without typed data', async () => {
    const outcome = await python.run(`
      def verified(body, header=None):
          webhooks = Webhooks("a secret")
          headers = webhooks.sign(body, "evt_1")
          return webhooks.verify(body, {name: value for name, value in headers.items() if name != header})
      event = verified('{"id":"evt_1","type":"user.teleported","data":{"to":"Mars"}}')
      own, standard = (verified('{"id":"evt_1","type":"x"}', name) for name in ("webhook-signature", "service-signature"))
      result = [
          [type(event).__name__, event.id, event.type_, event.data["to"], own.id, standard.id],
          failure(lambda: verified('{"id":"evt_1","type":"user.created","data":{}}'))["code"],
          failure(lambda: verified("[]"))["code"],
      ]
    `);
    expect(outcome).toEqual([
      ['UntypedEvent', 'evt_1', 'user.teleported', 'Mars', 'evt_1', 'evt_1'],
      'body_invalid',
      'body_invalid',
    ]);
    await expect(python.run('Webhooks([])')).rejects.toThrow(/The secret of the webhook is missing/);
  });

  it('verifies webhooks in the Flask sample', async () => {
    writeFileSync(join(FOLDER, 'receiver.py'), receiverGuide);
    const { stdout } = await run(PYTHON, ['receiver.py'], { cwd: FOLDER, env: { ...process.env, WEBHOOK_SECRET: SECRET } });
    expect(stdout.split('\n')).toEqual(['zoe@example.com', '204', '']);
  });
});
