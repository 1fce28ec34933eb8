import { beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordHasher } from '#platform/crypto';
import { startApp } from '../support/app.js';
import type { TestBody } from '../support/http-client.js';
import { keyClient, newAddress, newOrganization } from '../support/organizations.js';
import { freshCode, userWithTotp, verify } from '../support/second-factors.js';
import { activeUser, from, later, login, mailedToken, NEW_PASSWORD, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { connect } from 'node:net';
import { DataSource } from 'typeorm';
import { generatedDocument, operationsOf, pathOf } from '../support/operations.js';

const YEAR_MS = 365 * 24 * 3_600_000;

/** Requirements of OWASP ASVS 5.0 that no other test covers. docs/security/asvs.md lists all requirements. */
describe('the service', () => {
  const app = testApp({ trustProxy: ['127.0.0.1'] });

  const createUser = (org: TestBody, password: string = PASSWORD): Promise<TestBody> =>
    activeUser(app, org.id, { email: newAddress(), password });

  it('compares a password exactly, which can be long and contain any characters, and does not expire', async () => {
    const org = await newOrganization(app);
    const long = `${PASSWORD} marble thicket cobalt ferry lantern orbit velvet quarry amber`;
    const padded = ` ${PASSWORD} `;
    for (const [password, others] of [
      [long, [long.slice(0, 72), `${long} `, long.replace('amber', 'Amber')]],
      [padded, [PASSWORD, padded.trimStart(), padded.toUpperCase()]],
    ] as const) {
      const { email } = await createUser(org, password);
      for (const other of others) await login(app, org.id, email, other).expect(401);
      await login(app, org.id, email, password).expect(200);
    }
    for (const password of [
      'onlysmallletters-'.repeat(4).concat('andmore').replaceAll('-', ''),
      '80316294750918273645'.concat('7730915528461029', '44871620395518273640', '91827364'),
      'пятнадцать разных слов на кириллице и больше шестидесяти четырёх',
      '🐢🦊🐙🦉🐳🦔🐝🦋🌵🍋🎈🚲🪁🧭🪐',
    ]) {
      const { email } = await createUser(org, password);
      await login(app, org.id, email, password).expect(200);
    }
    const { email } = await createUser(org);
    await later(app, 10 * YEAR_MS, () => login(app, org.id, email).expect(200));
  });

  it('keeps MFA enabled when a user resets the password by email', async () => {
    const org = await newOrganization(app);
    const { email, secret } = await userWithTotp(app, org.id);
    await app.api.anonymous.post('/v1/auth/forgot-password', { organization: org.id, email }).expect(202);
    const link = await mailedToken(app, email, 'password_reset');
    await app.api.anonymous.post('/v1/auth/reset-password', { token: link, password: NEW_PASSWORD }).expect(204);
    const { body } = await login(app, org.id, email, NEW_PASSWORD).expect(200);
    expect(body.data).toMatchObject({ mfaRequired: true, methods: ['totp', 'recovery_code'] });
    expect(body.data.sessionToken).toBeUndefined();
    await verify(app, body.data.challengeToken, 'totp', freshCode(app, secret)).expect(200);
  });

  it('limits an IP address to 600 checks of secrets per minute', async () => {
    const statusesOf = async (count: number, path: string, network: string): Promise<Set<number>> => {
      const statuses = new Set<number>();
      for (let done = 0; done < count; done += 50) {
        const addresses = Array.from({ length: Math.min(50, count - done) }, (_, index) => `${network}${done + index}`);
        for (const { status } of await Promise.all(addresses.map((each) => app.api.anonymous.post(path, {}, from(each)))))
          statuses.add(status);
      }
      return statuses;
    };
    expect(await statusesOf(300, '/v1/auth/login', '2001:db8:0:7::')).toEqual(new Set([400]));
    expect(await statusesOf(300, '/v1/auth/mfa/verify', '2001:db8:0:7::')).toEqual(new Set([400]));
    expect(await statusesOf(2, '/v1/auth/reset-password', '2001:db8:0:7::')).toEqual(new Set([429]));
    expect(await statusesOf(2, '/v1/auth/reset-password', '2001:db8:0:8::')).toEqual(new Set([400]));
  });

  it('stores passwords and recovery codes as slow hashes with a salt per user', async () => {
    await using slow = await startApp({}, { passwordCost: 'production' });
    const org = await newOrganization(slow);
    const hasher = slow.app.get(PasswordHasher, { strict: false });
    const salts = new Set<string>();
    for (const { id, recoveryCodes } of [await userWithTotp(slow, org.id), await userWithTotp(slow, org.id)]) {
      const [set] = await slow.database.query<{ salt: Buffer; hashes: Buffer[] }>(
        'SELECT salt, hashes FROM recovery_code_sets WHERE user_id = $1',
        [id],
      );
      const phc = [set!.salt, set!.hashes[0]!].map((bytes) => bytes.toString('base64').replaceAll('=', ''));
      const hash = `$argon2id$v=19$m=19456,t=2,p=1$${phc.join('$')}`;
      expect(await hasher.verify(recoveryCodes[0]!.replaceAll('-', ''), hash)).toBe(true);
      expect(set!.salt).toHaveLength(32);
      const stored = 'SELECT password_hash AS hash FROM user_credentials WHERE user_id = $1';
      const [password] = await slow.database.query<{ hash: string }>(stored, [id]);
      const [, passwordSalt] = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$([^$]+)\$/.exec(password!.hash)!;
      salts.add(phc[0]!).add(passwordSalt!);
    }
    expect(salts.size).toBe(4);
  });
});

/** Files that a server can publish by mistake. */
const PRIVATE_FILES = [
  '/.git/config',
  '/.git/HEAD',
  '/.env',
  '/.data/',
  '/package.json',
  '/ormconfig.js',
  '/dist/apps/server/src/main.js',
  '/assets',
  '/assets/',
  '/assets/..%2findex.html',
  '/assets/%2e%2e/%2e%2e/%2e%2e/%2e%2e/package.json',
];

/** OWASP ASVS 5.0 requirements for web services and configuration that apply to all operations. */
describe('the HTTP API', () => {
  const app = testApp({ baseUrl: 'https://id.example.com' });
  beforeAll(() => newOrganization(app, { name: 'Acme' }));

  /** Sends the text unchanged on its own connection. Returns everything that the server sends until it closes the connection. */
  const sendRaw = async (text: string): Promise<string> => {
    const { port, hostname } = new URL(app.url);
    const socket = connect(Number(port), hostname);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The server drops the response if the client closes the connection.
    socket.write(text);
    await new Promise((resolve) => socket.once('close', resolve));
    return Buffer.concat(chunks).toString('utf8');
  };
  const head = (method: string, path: string): string =>
    `${method} ${path} HTTP/1.1\r\nHost: id.example.com\r\nAuthorization: Bearer ${app.platformKey}\r\nConnection: close\r\n`;

  it('declares the content type of every response, forbids caching and embedding, and does not redirect from http to https', async () => {
    const paths = ['/v1/organizations', '/v1/no-such-path', '/health/live', '/metrics', '/docs', '/openapi.json', '/dev/mailbox'];
    const streams = ['/v1/organizations/acme/events/stream', '/v1/organizations/acme/users/export?format=csv'];
    for (const path of [...paths, ...streams, '/docs/errors/forbidden']) {
      const type = (await app.api.platform.get(path)).headers.get('content-type') ?? '';
      expect([path, type]).toEqual([path, expect.stringMatching(/^(application\/(problem\+)?json|text\/\S+;.*charset=utf-8)/i)]);
    }
    for (const path of ['/v1/organizations', '/V1/organizations', '/v1/ORGANIZATIONS/acme/', '/V1', '/v1/no-such-path']) {
      const { headers } = await app.api.platform.get(path);
      expect(Object.fromEntries(headers)).toMatchObject({
        'cache-control': 'no-store',
        'cross-origin-resource-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
      });
      expect(headers.has('x-powered-by')).toBe(false);
    }
    for (const path of ['/v1/organizations', '/v1/auth/login', '/health/live', '/v1/']) {
      for (const method of ['GET', 'POST']) {
        const { status } = await app.api.platform.raw(method, path, undefined, { 'x-forwarded-proto': 'http' });
        expect([method, path, status < 300 || status >= 400]).toEqual([method, path, true]);
      }
    }
  });

  it('rejects a request with two lengths or a malformed length', async () => {
    const hidden = `${head('GET', '/v1/organizations/acme')}\r\n`;
    for (const lengths of [
      'Content-Length: 2\r\nTransfer-Encoding: chunked\r\n',
      'Transfer-Encoding: chunked\r\nContent-Length: 2\r\n',
      'Content-Length: 2\r\nContent-Length: 5\r\n',
      'Transfer-Encoding: xchunked\r\n',
      'Transfer-Encoding: chunked, identity\r\n',
      'Content-Length: +2\r\n',
    ]) {
      const response = await sendRaw(
        `${head('POST', '/v1/organizations')}Content-Type: application/json\r\n${lengths}\r\n{}\r\n${hidden}`,
      );
      expect([lengths, response]).toEqual([lengths, expect.stringMatching(/^HTTP\/1\.1 400 /)]);
      expect(response.split('HTTP/1.1 ')).toHaveLength(2);
    }
  });

  it('rejects TRACE and all undocumented methods, and serves no source files, directory listings or source control metadata', async () => {
    for (const method of ['TRACE', 'CONNECT', 'PROPFIND', 'PURGE', 'PUT']) {
      const response = await sendRaw(`${head(method, '/v1/organizations')}X-Echo: come-back\r\n\r\n`);
      expect([method, response]).toEqual([method, expect.not.stringMatching(/^HTTP\/1\.1 2|come-back/)]);
    }
    for (const path of PRIVATE_FILES) {
      const response = await sendRaw(`${head('GET', path)}\r\n`);
      expect([path, response]).toEqual([path, expect.stringMatching(/^HTTP\/1\.1 40[034] /)]);
    }
  });

  it('authorizes HEAD requests and unusual spellings of a path like GET requests', async () => {
    const operations = operationsOf(await generatedDocument()).filter(
      ({ method, isPublic, path }) => method === 'GET' && !isPublic && path.startsWith('/v1/'),
    );
    expect(operations.length).toBeGreaterThan(30);
    for (const operation of operations) {
      const path = pathOf(operation, () => 'acme');
      for (const [method, written] of [
        ['HEAD', path],
        ['GET', `${path}/`],
        ['GET', `/${path}`],
        ['GET', path.toUpperCase()],
        ['GET', path.replace('/v1/', '/v1/./')],
        ['GET', path.replace('/v1/', '/v1//')],
        ['GET', path.replace('/v1/', '/%76%31/')],
        ['GET', `${path};x=1`],
      ] as const) {
        const response = await sendRaw(`${head(method, written).replace(/Authorization.*\r\n/, '')}\r\n`);
        expect([method, written, response]).toEqual([method, written, expect.stringMatching(/^HTTP\/1\.1 40[14] /)]);
      }
    }
  });

  it('logs an internal error and returns only the request id', async () => {
    const client = await keyClient(app, 'acme', ['*']);
    const loggedErrors: unknown[] = [];
    const ignore = (): void => undefined;
    app.app.useLogger({ log: ignore, warn: ignore, error: (...parts: unknown[]) => loggedErrors.push(...parts) });
    await app.database.query('ALTER TABLE api_keys RENAME TO lost_keys');
    await app.database.query('ALTER TABLE roles RENAME TO lost_roles');
    try {
      for (const [caller, instance] of [
        [client, '/v1/organizations/acme'],
        [app.api.platform, '/v1/organizations/acme/roles'],
      ] as const) {
        const { body, headers } = await caller.get(instance).expect(500);
        const requestId = headers.get('x-request-id');
        const type = 'https://id.example.com/docs/errors/internal_error';
        const detail = `An unexpected error occurred. Give the operator this request id: ${requestId}`;
        expect(body).toEqual({
          type,
          title: 'Internal server error',
          status: 500,
          instance,
          code: 'internal_error',
          detail,
          requestId,
        });
        const err = expect.objectContaining({ message: expect.stringMatching(/does not exist/) });
        expect(loggedErrors).toContainEqual({ err, requestId });
      }
    } finally {
      await app.database.query('ALTER TABLE lost_keys RENAME TO api_keys');
      await app.database.query('ALTER TABLE lost_roles RENAME TO roles');
    }
  });

  it('never runs a query with an undefined or null condition', async () => {
    const users = app.app.get(DataSource).getRepository<{ id: string }>('User');
    for (const id of [undefined, null]) {
      await expect(users.find({ where: { id: id as unknown as string } })).rejects.toThrow(/undefined|null/i);
      await expect(users.delete({ id: id as unknown as string })).rejects.toThrow();
    }
  });
});

describe('a disabled page', () => {
  const app = testApp({ docs: false, metrics: false });

  const docs = ['/docs', '/docs/', '/docs/operations/createUser', '/docs/guide', '/docs/guide/', '/docs/guide/guides/api'];
  it('returns 404, except the pages of error codes', async () => {
    for (const path of [...docs, '/openapi.json', '/metrics', '/metrics/'])
      await app.api.anonymous.get(path).expect(404, 'route_not_found');
    const { body } = await app.api.anonymous.get('/v1/organizations').expect(401);
    expect(body.type).toMatch(/\/docs\/errors\/unauthenticated$/);
    await app.api.anonymous.get('/docs/errors/unauthenticated').expect(200);
    expect((await app.api.anonymous.get('/').expect(302)).headers.get('location')).toBe('/account/sign-in');
    await app.api.anonymous.get('/health/live').expect(200);
  });
});
