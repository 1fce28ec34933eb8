import { describe, expect, it } from '@jest/globals';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { mailsTo } from '../support/mailbox.js';
import { at, made, newAddress, newOrganization, read } from '../support/organizations.js';
import { activeUser, login, mailedToken, PASSWORD } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';

const OTHER_PASSWORD = 'marble thicket cobalt ferry';

const app = testApp();

describe('a sign-up', () => {
  const open = (settings: object = {}, fields: object = {}): Promise<TestBody> =>
    newOrganization(app, { settings: { allowPublicSignup: true, ...settings }, ...fields });
  const signUp = (org: string, email: string, fields: object = {}): PendingResponse =>
    app.api.anonymous.post('/v1/auth/sign-up', { organization: org, email, password: PASSWORD, ...fields });
  const verify = (token: string): PendingResponse => app.api.anonymous.post('/v1/auth/verify-email', { token });
  const templates = async (email: string) => (await mailsTo(app, email)).map(({ template }) => template);
  const userWith = async (org: TestBody, email: string): Promise<TestBody> => {
    const { body } = await app.api.platform.get(at(org.id, `/users?email=${email}`)).expect(200);
    return body.data[0];
  };

  it('creates a pending user and emails an activation link', async () => {
    const org = await open();
    const email = newAddress();
    const events = await eventsDuring(app, async () => {
      const { body } = await signUp(org.slug, email, { firstName: 'Ada', lastName: 'Lovelace', locale: 'DE' }).expect(202);
      expect(body).toEqual({ data: { email } });
    });
    expect(events.map(({ type }) => type)).toEqual(['user.created', 'user.password_changed']);
    expect(events[0]!.data).toMatchObject({ email, firstName: 'Ada', lastName: 'Lovelace', status: 'pending' });
    expect(events[1]!.data.method).toBe('sign_up');
    expect(await userWith(org, email)).toMatchObject({
      status: 'pending',
      emailVerified: false,
      roles: [{ id: 'role_member', name: 'member' }],
    });
    const { id } = await userWith(org, email);
    expect((await read(app, at(org.id, `/users/${id}`))).locale).toBe('de');
    await login(app, org.id, email).expect(401);

    expect(await templates(email)).toEqual(['email_verification']);
    const token = await mailedToken(app, email, 'email_verification');
    const verified = await eventsDuring(app, async () => {
      const { body } = await verify(token).expect(200);
      expect(body.data).toEqual({ userId: events[0]!.data.id, email, status: 'active' });
    });
    expect(verified.map(({ type }) => type)).toEqual(['user.activated']);
    expect(verified[0]!.data).toMatchObject({ previousStatus: 'pending', emailVerified: true });
    await login(app, org.id, email).expect(200);
    await verify(token).expect(400);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('works with a domain in Unicode', async () => {
    const org = await open({ allowedDomains: ['bücher.example'] });
    await signUp(org.slug, 'hans@bücher.example').expect(202);
    await verify(await mailedToken(app, 'hans@bücher.example', 'email_verification')).expect(200);
    for (const email of ['hans@bücher.example', 'HANS@xn--bcher-kva.example']) await login(app, org.id, email).expect(200);
  });

  it('is rejected by default', async () => {
    const closed = await newOrganization(app);
    const suspended = await open();
    await app.api.platform.post(at(suspended.id, '/suspend'), {}).expect(200);
    const responses = [];
    for (const org of [closed.id, suspended.id, 'no-such-organization']) {
      const { body } = await signUp(org, newAddress()).expect(403);
      const { requestId: _, ...rest } = body;
      responses.push(rest);
    }
    expect(responses[0].code).toBe('sign_up_closed');
    for (const response of responses) expect(response).toEqual(responses[0]);
  });

  it('reveals only by email that an address is taken', async () => {
    const org = await open();
    const fresh = newAddress();
    const elsewhere = await open({}, { parentId: (await open()).id });
    const active = (await activeUser(app, org.id, { email: newAddress() })).email;
    const pending = (await made(app, at(org.id, '/users'), { email: newAddress() })).email;
    const suspended = await activeUser(app, org.id, { email: newAddress() });
    await app.api.platform.post(at(org.id, `/users/${suspended.id}/suspend`), {}).expect(200);
    const responses: { email: string; response: object; tookMs: number }[] = [];
    for (const email of [fresh, active, pending, suspended.email]) {
      const start = performance.now();
      const { status, body, headers } = await signUp(org.id, email);
      expect(body).toEqual({ data: { email } });
      responses.push({
        email,
        response: { status, headers: [...headers.keys()].sort() },
        tookMs: performance.now() - start,
      });
    }
    for (const { response, tookMs } of responses) {
      expect(response).toEqual({ ...responses[0]!.response, status: 202 });
      expect(tookMs).toBeGreaterThan(245);
    }
    expect(await templates(fresh)).toEqual(['email_verification']);
    expect((await templates(active))[0]).toBe('account_exists');
    await login(app, org.id, active).expect(200);

    // An address has one account in the whole tenant.
    const inTree = (await activeUser(app, elsewhere.id, { email: newAddress() })).email;
    await signUp((await newOrganization(app, { name: 'Twin', parentId: elsewhere.id })).id, inTree).expect(202);
    expect((await templates(inTree))[0]).toBe('account_exists');
  });

  it('assigns the account only to the owner of the email address', async () => {
    const org = await open();
    const email = newAddress();
    await signUp(org.id, email, { password: OTHER_PASSWORD }).expect(202);
    const first = await mailedToken(app, email, 'email_verification');
    await signUp(org.id, email).expect(202);
    expect(await templates(email)).toEqual(['invitation', 'email_verification']);
    await verify(first).expect(400);
    await app.api.anonymous
      .post('/v1/auth/accept-invitation', { token: await mailedToken(app, email, 'invitation'), password: PASSWORD })
      .expect(200);
    await login(app, org.id, email, OTHER_PASSWORD).expect(401);
    await login(app, org.id, email).expect(200);
  });

  it('creates only one user when repeated concurrently', async () => {
    const org = await open();
    const email = newAddress();
    const statuses = await Promise.all(Array.from({ length: 4 }, async () => (await signUp(org.id, email)).status));
    expect(statuses).toEqual([202, 202, 202, 202]);
    const { body } = await app.api.platform.get(at(org.id, `/users?email=${email}`)).expect(200);
    expect(body.pagination.total).toBe(1);
    expect((await templates(email)).sort()).toEqual(['email_verification', 'invitation', 'invitation', 'invitation']);
  });

  it('sends at most five emails an hour to an address', async () => {
    const org = await open();
    const { email } = await activeUser(app, org.id, { email: newAddress() });
    for (let count = 0; count < 6; count++) await signUp(org.id, email).expect(202);
    expect((await templates(email)).filter((template) => template === 'account_exists')).toHaveLength(5);
  });
});
