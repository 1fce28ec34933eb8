import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { OperatorLinksService } from '#identity/auth';
import type { TestResponse } from '../support/http-client.js';
import { keyClient, newAddress, newOrganization } from '../support/organizations.js';
import { PageClient } from '../support/page-client.js';
import { later, login } from '../support/sign-in.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const MINUTE_MS = 60_000;
const SERVER = join(import.meta.dirname, '../../dist/server/main.js');

describe('an operator', () => {
  const app = testApp();

  const outcome = ({ status, body }: TestResponse): unknown[] => [status, body?.code];
  const link = async (): Promise<string> => {
    const { body } = await app.api.platform.post('/v1/auth/operator-links').expect(201);
    return tokenOf(body.data.url);
  };
  const tokenOf = (url: string): string => new URL(url).hash.replace(/^#token=/, '');
  const open = async (page: PageClient, token: string): Promise<TestResponse> =>
    page.post('/v1/auth/operator-session', { token });
  const operator = async (): Promise<PageClient> => {
    const page = new PageClient(app);
    expect((await open(page, await link())).status).toBe(200);
    return page;
  };

  describe('the first operator', () => {
    const fresh = testApp();

    it('has no users and no default passwords in a new database', async () => {
      expect(await fresh.database.query('SELECT id FROM users')).toEqual([]);
      expect(await fresh.database.query('SELECT user_id FROM user_credentials')).toEqual([]);
      for (const name of ['admin', 'root', 'sa']) await login(fresh, 'default', `${name}@example.com`, name).expect(401);
    });

    it('gets a link at each startup until there is an organization', async () => {
      const links = fresh.app.get(OperatorLinksService);
      const first = await links.createAtStart();
      expect(first!.expiresAt.getTime() - Date.now()).toBeGreaterThan(59 * MINUTE_MS);
      const [second, third] = await later(fresh, 50 * MINUTE_MS, async () => [
        await links.createAtStart(),
        await links.createAtStart(),
      ]);
      expect([second, third].map((each) => each?.expiresAt)).toEqual([first!.expiresAt, first!.expiresAt]);
      expect(await later(fresh, 61 * MINUTE_MS, () => links.createAtStart())).toBeUndefined();

      const page = new PageClient(fresh);
      expect((await open(page, first!.token)).status).toBe(200);
      expect((await page.post('/v1/organizations', { name: 'Acme' })).status).toBe(201);
      expect(await links.createAtStart()).toBeUndefined();
      const stored = await fresh.database.query('SELECT encode(token_hash, $1) AS hash FROM operator_links', ['base64']);
      expect(JSON.stringify(stored)).not.toContain(first!.token);
      // A printed link is valid for an hour, even if an organization exists.
      expect(outcome(await later(fresh, 61 * MINUTE_MS, () => open(page, second!.token)))).toEqual([
        401,
        'operator_link_invalid',
      ]);
      expect((await open(page, second!.token)).status).toBe(200);
    });
  });

  it('opens a link once and gets the permissions of a platform key', async () => {
    const token = await link();
    const page = new PageClient(app);
    const { status, body, headers } = await open(page, token);
    expect([status, Object.keys(body.data)]).toEqual([200, ['expiresAt']]);
    const [cookie = '', ...further] = headers.getSetCookie();
    expect([cookie, further]).toEqual([
      expect.stringMatching(
        /^service-session=operator\.[\w-]{43}; Max-Age=3(?:600|59\d); Path=\/; Expires=[^;]+; HttpOnly; SameSite=Strict$/,
      ),
      [],
    ]);
    expect(outcome(await open(new PageClient(app), token))).toEqual([401, 'operator_link_invalid']);
    expect((await page.get('/v1/auth/session')).body.data).toEqual({ kind: 'operator', expiresAt: body.data.expiresAt });

    const once = { headers: { 'idempotency-key': 'first' } };
    const { id } = (await page.post('/v1/organizations', { name: 'Operated' }, once)).body.data;
    const user = await page.post(`/v1/organizations/${id}/users`, { email: newAddress(), roles: ['owner'] });
    expect(user.status).toBe(201);
    const [event] = await app.database.query<{ payload: string }>(
      "SELECT payload FROM events WHERE type = 'organization.created' AND payload LIKE $1",
      [`%${id}%`],
    );
    expect(JSON.parse(event!.payload)).toMatchObject({
      actor: { type: 'api', id: expect.stringMatching(/^ops_/) },
      metadata: { source: 'dashboard' },
    });
  });

  it('opens a link only once, even with concurrent requests', async () => {
    const token = await link();
    const responses = await Promise.all(Array.from({ length: 8 }, () => open(new PageClient(app), token)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 401)]);
  });

  it.each(['', 'nonsense', 'A'.repeat(43)])("can't sign in with the token %j", async (token) => {
    const { status } = await open(new PageClient(app), token);
    expect(status).toBe(token === '' ? 400 : 401);
  });

  it('can sign in and make changes only from pages of the service', async () => {
    const page = await operator();
    const elsewhere = { headers: { 'sec-fetch-site': 'same-site' } };
    expect(outcome(await page.post('/v1/organizations', { name: 'Acme' }, elsewhere))).toEqual([403, 'cross_origin']);
    const token = await link();
    const rejected = await app.api.anonymous.post('/v1/auth/operator-session', { token }, elsewhere);
    expect([outcome(rejected), rejected.headers.getSetCookie()]).toEqual([[403, 'cross_origin'], []]);
    expect((await open(page, token)).status).toBe(200);
  });

  it('has the session token only in a cookie', async () => {
    const page = await operator();
    const token = page.cookies.replace('service-session=', '');
    expect(outcome(await app.api.as(token).get('/v1/organizations'))).toEqual([401, 'unauthenticated']);
    for (const path of ['/v1/auth/me', '/v1/auth/sessions', '/v1/auth/mfa'])
      expect(outcome(await page.get(path))).toEqual([403, 'forbidden']);
    expect(outcome(await page.post('/v1/auth/operator-links'))).toEqual([403, 'forbidden']);
    const verified = await app.api.platform.post('/v1/sessions/verify', { token }).expect(200);
    expect(verified.body.data).toEqual({ active: false });
  });

  it('is signed out after 20 minutes without activity or after an hour', async () => {
    const page = await operator();
    const asked = (afterMinutes: number): Promise<TestResponse> =>
      later(app, afterMinutes * MINUTE_MS, () => page.get('/v1/auth/session'));
    for (const minutes of [15, 30, 45, 59]) expect((await asked(minutes)).status).toBe(200);
    expect(outcome(await asked(61))).toEqual([401, 'unauthenticated']);
    expect(page.cookies).toBe('');

    const idle = await operator();
    const late = await later(app, 21 * MINUTE_MS, () => idle.get('/v1/auth/session'));
    expect([outcome(late), idle.cookies]).toEqual([[401, 'unauthenticated'], '']);
  });

  it('can sign out', async () => {
    const page = await operator();
    const { cookies } = page;
    expect([(await page.post('/v1/auth/logout')).status, page.cookies]).toEqual([204, '']);
    page.cookies = cookies;
    expect((await page.get('/v1/auth/session')).status).toBe(401);
  });

  it('gets a link with a platform key, but not with an API key', async () => {
    const client = await keyClient(app, (await newOrganization(app)).id, ['*']);
    expect(outcome(await client.post('/v1/auth/operator-links'))).toEqual([403, 'forbidden']);
    const { url, expiresAt } = (await app.api.platform.post('/v1/auth/operator-links').expect(201)).body.data;
    expect(url).toMatch(/^http:\/\/localhost:3000\/dashboard\/getting-started#token=[\w-]{43}$/);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(60 * MINUTE_MS);
  });

  it('gets a link from a command with access to the database', async () => {
    const env = { ...process.env, DATABASE_URL: app.config.databaseUrl!, BASE_URL: 'https://id.example.com/' };
    const { stdout } = await promisify(execFile)(process.execPath, [SERVER, 'dashboard-link'], { env });
    const [url = ''] = /https:\S+/.exec(stdout) ?? [];
    expect(url).toMatch(/^https:\/\/id\.example\.com\/dashboard\/getting-started#token=[\w-]{43}$/);
    expect((await open(new PageClient(app), tokenOf(url))).status).toBe(200);
  });

  it('is recognizable by the kind of the current session', async () => {
    const { id: organizationId } = await newOrganization(app);
    const user = await signedIn(app, organizationId);
    const { data } = (await user.client.get('/v1/auth/session').expect(200)).body;
    const session = expect.objectContaining({ organizationId, mfaEnrolmentRequired: false });
    expect(data).toEqual({ kind: 'user', userId: user.id, expiresAt: data.session.expiresAt, session });
  });
});
