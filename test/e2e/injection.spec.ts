import { beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'undici';
import { eventually } from '../support/delivery-app.js';
import { generatedDocument, patternsOf } from '../support/operations.js';
import { made, newAddress, newOrganization, read } from '../support/organizations.js';
import { PATHOLOGICAL_TEXTS, pathologicalRequests } from '../support/pathological-input.js';
import { testReceiver } from '../support/receiver.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

const USERS = '/v1/organizations/acme/users';
const SQL = [
  "'; DROP TABLE users; --",
  "' OR '1'='1",
  '" OR ""="',
  "\\'; DELETE FROM users; --",
  '$1',
  '$$;DROP TABLE users;$$',
  "%' UNION SELECT hash FROM token_hashes --",
  "E'\\\\x27",
  "');--",
];
/** A linear regular expression requires far less processor time. A backtracking expression requires far more. */
const BUSY_LIMIT_MS = 1_000;

const busyMs = (before: NodeJS.CpuUsage): number => process.cpuUsage(before).user / 1_000;

describe('caller input', () => {
  const app = testApp();
  const receiver = testReceiver();
  beforeAll(async () => {
    await app.api.platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
  });

  it('is never executed as SQL', async () => {
    const org = await newOrganization(app);
    const users = `/v1/organizations/${org.id}/users`;
    for (const text of SQL) {
      const fields = { firstName: text, metadata: { [text]: text }, externalId: text };
      const { id } = await made(app, users, { email: newAddress(), ...fields });
      expect(await read(app, `${users}/${id}`)).toMatchObject({ firstName: text, metadata: { [text]: text } });
      const written = encodeURIComponent(text);
      expect(await read(app, `${users}?search=${written}&limit=100`)).toContainEqual(
        expect.objectContaining({ firstName: text }),
      );
      expect(await read(app, `${users}?externalId=${written}`)).toMatchObject([{ id }]);
      for (const query of ['sort', 'status', 'role', 'after', 'type', 'email'])
        expect((await app.api.platform.get(`${users}?${query}=${written}`)).status).toBeLessThan(500);
    }
    expect(await app.database.query('SELECT FROM users WHERE tenant_id = $1', [org.id])).toHaveLength(SQL.length);
  });

  it('adds no headers to responses or deliveries', async () => {
    const create = (fields: object) =>
      app.api.platform.post('/v1/organizations/acme/webhooks', { url: receiver.url, events: ['role.created'], ...fields });
    for (const textWithLineBreak of ['a\r\nX-Injected: 1', 'a\nX-Injected: 1', 'a\r\n\r\n<html>']) {
      const path = `/v1/organizations/${encodeURIComponent(textWithLineBreak)}/users?after=${encodeURIComponent(textWithLineBreak)}`;
      const response = await app.api.platform.get(path);
      expect([response.status, response.headers.get('x-injected')]).toEqual([404, null]);
      const rejected = await create({ headers: { 'X-Own': textWithLineBreak } }).expect(400);
      expect(rejected.body.errors).toMatchObject([{ pointer: '/headers/X-Own', code: 'invalid_header' }]);
      await create({ headers: { [textWithLineBreak]: 'x' } }).expect(400);
      await create({ url: `${receiver.url}${textWithLineBreak}` });
    }
    // Names of webhooks and roles appear only in bodies.
    await app.api.platform.post('/v1/organizations/acme/roles', { name: 'a\r\nX-Injected: 1', permissions: [] });
    await create({ url: `${receiver.url}plain` }).expect(201);
    await app.api.platform.post('/v1/organizations/acme/roles', { name: 'delivered' }).expect(201);
    await eventually(() => receiver.requests.some(({ path }) => path === '/plain'), 20_000, 'the event is delivered');
    for (const { headers } of receiver.requests) expect(headers['x-injected']).toBeUndefined();
  });

  it('does not modify prototypes', async () => {
    const email = 'polluter@example.com';
    const { id } = await made(app, USERS, { email, metadata: { a: { b: 1 } } });
    const user = `${USERS}/${id}`;
    const send = (method: string, path: string, body: string, type = 'application/json') =>
      app.api.platform.raw(method, path, body, { 'content-type': type });
    for (const path of ['__proto__', 'constructor', 'prototype']) {
      const nested = `{"metadata":{"a":{"${path}":{"polluted":true}},"${path}":{"polluted":true}},"${path}":{"polluted":true}}`;
      await send('PATCH', user, nested);
      await send('PATCH', user, `{"metadata":{"${path}":{"polluted":true}}}`);
      for (const field of ['settings', 'branding'])
        await send('PATCH', '/v1/organizations/acme', `{"${field}":{"${path}":{"polluted":true}}}`);
      await app.api.platform.get(`${USERS}?${path}[polluted]=true&${path}=true`);
      const filter = `{"url":"${receiver.url}","events":["role.created"],"filter":{"${path}.polluted":{"$exists":false}}}`;
      await send('POST', '/v1/organizations/acme/webhooks', filter);
      const row = `{"email":"row-${path}@example.com","metadata":{"${path}":{"polluted":true}}}`;
      await send('POST', `${USERS}/import`, row, 'application/x-ndjson');
    }
    // The service runs in this process.
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect((Object as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect((await read(app, user)).email).toBe(email);
  });

  /** The service runs in this process, so its processor time shows a slow expression, also on a busy machine. */
  it(`keeps the processor busy for at most ${BUSY_LIMIT_MS} ms if it is hard for regular expressions`, async () => {
    const wrong: string[] = [];
    for (const pattern of patternsOf(await generatedDocument())) {
      const before = process.cpuUsage();
      for (const text of PATHOLOGICAL_TEXTS) new RegExp(pattern, 'u').test(text);
      if (busyMs(before) > BUSY_LIMIT_MS) wrong.push(pattern);
    }
    // Of the three texts of each kind, the text that ends with "!" causes the most backtracking.
    const few = PATHOLOGICAL_TEXTS.filter((text) => text.endsWith('!'));
    for (const { name, statuses, send } of pathologicalRequests(app, sized(few, PATHOLOGICAL_TEXTS, PATHOLOGICAL_TEXTS))) {
      const before = process.cpuUsage();
      const { status } = await send().whenServed();
      if (!statuses.includes(status) || busyMs(before) > BUSY_LIMIT_MS) wrong.push(`${name}: ${status} in ${busyMs(before)} ms`);
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('identifies a user by any spelling of the email address, not by look-alikes', async () => {
    await app.api.platform.post(USERS, { email: 'Kim.Lee@Example.com' }).expect(201);
    // The last address begins with a Kelvin sign, which normalizes to K.
    for (const same of ['kim.lee@example.com', 'KIM.LEE@EXAMPLE.COM', ' kim.lee@example.com ', '\u212aim.lee@example.com'])
      await app.api.platform.post(USERS, { email: same }).expect(409, 'email_taken');
    // Addresses with a dotless i, Cyrillic letters, full-width letters, a combining accent, an ideographic full stop or invisible
    // characters, and addresses that mail programs parse differently.
    for (const lookAlike of [
      'k\u0131m.lee@example.com',
      'kim.l\u0435\u0435@example.com',
      'kim.lee@ex\u0430mple.com',
      '\uff4bim.lee@example.com',
      'kim.le\u0301e@example.com',
      'kim\u3002lee@example.com',
      'kim.lee\u200b@example.com',
      'kim.lee@example.com\u202e',
      '"kim.lee"@example.com',
      'kim.lee@example.com, eve@evil.example',
      'eve@evil.example <kim.lee@example.com>',
      'kim.lee@eve@example.com',
      'kim.lee@example',
      'kim..lee@example.com',
    ]) {
      const rejected = await app.api.platform.post(USERS, { email: lookAlike });
      expect([lookAlike, rejected.status, rejected.body.errors?.[0]?.pointer]).toEqual([lookAlike, 400, '/email']);
    }
  });

  it('gains no access through a repeated Authorization header', async () => {
    const headers = ['authorization', 'Bearer nonsense', 'authorization', `Bearer ${app.platformKey}`];
    const { statusCode, body } = await request(`${app.url}/v1/organizations`, { headers });
    await body.dump();
    expect(statusCode).toBe(401);
  });
});
