import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import type { TestClient } from '../support/http-client.js';
import { numberedEvents } from '../support/event-log.js';
import { DEVICE_CODE, startIssuer } from '../support/oauth-application.js';
import { made, newOrganization } from '../support/organizations.js';
import { PageClient, SESSION_IN_COOKIE } from '../support/page-client.js';
import { activeUser, PASSWORD } from '../support/sign-in.js';
import { openSession, type SignedIn, signedIn } from '../support/signed-in.js';

const ANSWERS = '/v1/oauth/device-requests';

let app: TestApp;
let acme: string;
let ada: SignedIn;
let television: string;

const newDevice = async (fields: object = {}): Promise<string> => {
  const body = { name: 'Television', type: 'native', grantTypes: [DEVICE_CODE, 'refresh_token'], ...fields };
  return (await made(app, `/v1/organizations/${acme}/oauth-clients`, body)).id;
};

beforeAll(async () => {
  app = await startIssuer();
  acme = (await newOrganization(app, { name: 'Acme', slug: 'acme' })).id;
  ada = await signedIn(app, acme, { roles: ['admin'] });
  const resources = [{ identifier: app.config.baseUrl, scopes: ['members:read', 'users:write'] }];
  television = await newDevice({ resources, homePageUri: 'https://tv.example.com/' });
});

afterAll(() => app?.close());

interface Answer {
  readonly status: number;
  readonly body: Record<string, string>;
}

async function send(path: string, fields: Record<string, string>): Promise<Answer> {
  const response = await fetch(app.url + path, { method: 'POST', body: new URLSearchParams(fields) });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

class Device {
  private constructor(
    readonly client: string,
    readonly userCode: string,
    private readonly deviceCode: string,
  ) {}

  static async start(client = television, fields: Record<string, string> = {}): Promise<Device> {
    const { status, body } = await send('/oauth/device', { client_id: client, scope: 'openid offline_access', ...fields });
    expect({ status, body }).toMatchObject({ status: 200, body: { verification_uri: `${app.config.baseUrl}/device` } });
    return new Device(client, body['user_code']!, body['device_code']!);
  }

  poll(client = this.client): Promise<Answer> {
    return send('/oauth/token', { grant_type: DEVICE_CODE, client_id: client, device_code: this.deviceCode });
  }

  async error(client?: string): Promise<string | undefined> {
    return (await this.poll(client)).body['error'];
  }

  async open(user: TestClient = ada.client): Promise<void> {
    await user.post(ANSWERS, { userCode: this.userCode }).expect(200);
  }

  /** Returns the status and the code of the error. */
  async answer(user: TestClient = ada.client, organizationId = acme): Promise<[number, string?]> {
    const { status, body } = await user.post(`${ANSWERS}/approval`, { userCode: this.userCode, organizationId });
    return status === 204 ? [status] : [status, body.code];
  }

  /** Lets the clock of this request run. */
  async age(seconds: number): Promise<void> {
    const where = `kind = 'DeviceCode' AND payload ->> 'clientId' = $1`;
    const find = `SELECT (payload ->> 'exp')::int AS exp FROM oauth_artifacts WHERE ${where}`;
    const [code] = await app.database.query<{ exp: number }>(find, [this.client]);
    // Citus executes `to_jsonb` of a column in no UPDATE.
    const update = `UPDATE oauth_artifacts SET payload = jsonb_set(payload, '{exp}', $2::jsonb) WHERE ${where}`;
    await app.database.query(update, [this.client, JSON.stringify(code!.exp - seconds)]);
  }
}

const NOT_FOUND = [404, 'oauth_device_request_not_found'];

describe('a sign-in on a device', () => {
  it('waits until the user allows it on another device, and acts for the user', async () => {
    const device = await Device.start(television, { scope: 'openid offline_access members:read', resource: app.config.baseUrl });
    expect([await device.error(), await device.error()]).toEqual(['authorization_pending', 'slow_down']);
    const userCode = device.userCode.toLowerCase().replace('-', ' ');
    const { body } = await ada.client.post(ANSWERS, { userCode }).expect(200);
    expect(body.data).toMatchObject({
      userCode: device.userCode,
      application: { id: television, name: 'Television', organizationName: 'Acme' },
      organization: { id: acme, name: 'Acme' },
      scopes: ['openid', 'offline_access'],
      resources: [{ identifier: app.config.baseUrl, scopes: [{ name: 'members:read' }] }],
      ipAddress: '127.0.0.1',
      websiteHost: 'tv.example.com',
      verifiedDomain: null,
      signInRequired: false,
    });
    expect(await device.answer()).toEqual([204]);
    const tokens = await device.poll();
    expect(tokens).toMatchObject({ status: 200, body: { scope: 'members:read' } });
    const api = app.api.as(tokens.body['access_token']!);
    await api.get(`/v1/organizations/${acme}/members`).expect(200);
    const refresh = { grant_type: 'refresh_token', client_id: television, refresh_token: tokens.body['refresh_token']! };
    expect((await send('/oauth/token', refresh)).status).toBe(200);
    const { body: events } = await app.api.platform.get(`/v1/organizations/acme/events?type=oauth_grant.created`).expect(200);
    expect(events.data[0].data).toMatchObject({ clientName: 'Television', userId: ada.id, scopes: ['openid', 'offline_access'] });
    expect(await device.error()).toBe('invalid_grant');
    await api.get(`/v1/organizations/${acme}/members`).expect(401);
  });

  it('names the client in the event of the sign-in', async () => {
    const { email, id } = await activeUser(app, acme, { email: 'grace@example.com', roles: ['member'] });
    const browser = new PageClient(app);
    browser.cookies = `oauth-user-code=${(await Device.start()).userCode}`;
    await browser.post('/v1/auth/login', { organization: 'acme', email, password: PASSWORD }, SESSION_IN_COOKIE);
    await numberedEvents(app);
    const { body } = await app.api.platform.get(`/v1/organizations/acme/events?type=user.login&userId=${id}`).expect(200);
    expect(body.data[0].data).toMatchObject({ method: 'password', client: { id: television, name: 'Television' } });
  });

  it('obeys the rules of the organization and of the request', async () => {
    const strict = (await newOrganization(app, { name: 'Strict', parentId: acme, settings: { requireMfa: true } })).id;
    const walled = (
      await newOrganization(app, { name: 'Walled', parentId: acme, settings: { allowedNetworks: ['192.0.2.0/24'] } })
    ).id;
    const required = [403, 'oauth_device_sign_in_required'];
    for (const [organization, fields, refused] of [
      [strict, {}, required],
      [acme, { acr_values: 'aal2' }, required],
      [walled, {}, [403, 'network_not_allowed']],
    ] as const) {
      const device = await Device.start(television, { organization, ...fields });
      await device.open();
      expect([organization, await device.answer(ada.client, organization)]).toEqual([organization, refused]);
      expect(await device.error()).toBe('authorization_pending');
    }
  });
});

describe('a device or a user who has the code of another', () => {
  let bob: SignedIn;
  beforeAll(async () => {
    bob = await signedIn(app, acme, { roles: ['admin'] });
  });

  it.each<[string, (device: Device) => Promise<unknown>, unknown]>([
    ['is not answered without entering the code', (device) => device.answer(), NOT_FOUND],
    [
      'is not found out by answers, which nobody counts',
      async () => (await Device.start(television, { acr_values: 'aal2' })).answer(),
      NOT_FOUND,
    ],
    [
      'gets no access to another organization than the user names',
      async () => {
        const team = (await newOrganization(app, { name: 'Team', parentId: acme })).id;
        const device = await Device.start(television, { organization: team });
        await device.open();
        return device.answer(ada.client, acme);
      },
      NOT_FOUND,
    ],
    [
      'is not answered by another user than the one who entered the code',
      async (device) => {
        await device.open();
        await bob.client.post(ANSWERS, { userCode: device.userCode }).expect(404);
        await bob.client.post(`${ANSWERS}/denial`, { userCode: device.userCode }).expect(404);
        return device.answer(bob.client);
      },
      NOT_FOUND,
    ],
    [
      'is not answered in another session',
      async (device) => {
        await device.open();
        return device.answer((await openSession(app, ada, { at: acme })).client);
      },
      NOT_FOUND,
    ],
    [
      'is not answered from a page of another site',
      async (device) => {
        await device.open();
        const browser = new PageClient(app);
        browser.cookies = `${app.config.serviceName}-session=${ada.token}`;
        const body = { userCode: device.userCode, organizationId: acme };
        const { status } = await browser.post(`${ANSWERS}/approval`, body, { headers: { 'sec-fetch-site': 'cross-site' } });
        return status;
      },
      403,
    ],
    [
      'gets no access to an organization of others',
      async (device) => {
        const other = (await newOrganization(app, { name: 'Other' })).id;
        await device.open();
        return device.answer(ada.client, other);
      },
      NOT_FOUND,
    ],
    ['gets no tokens with the code of another device', async (device) => device.error(await newDevice()), 'invalid_grant'],
  ])('%s', async (_title, attack, refused) => {
    const device = await Device.start();
    expect(await attack(device)).toEqual(refused);
    expect(await device.error()).toMatch(/^(?:authorization_pending|slow_down)$/);
  });

  it.each<[string, (device: Device) => Promise<unknown>, string]>([
    ['denies it', (device) => ada.client.post(`${ANSWERS}/denial`, { userCode: device.userCode }).expect(204), 'access_denied'],
    ['waits too long', (device) => device.age(600), 'expired_token'],
    [
      'answers when the client is disabled',
      (device) => app.api.platform.patch(`/v1/organizations/acme/oauth-clients/${device.client}`, { enabled: false }).expect(200),
      'invalid_client',
    ],
  ])('gets no tokens if the user %s', async (_title, change, error) => {
    const device = await Device.start(await newDevice());
    await device.open();
    await change(device);
    expect(await device.answer()).toEqual(NOT_FOUND);
    for (const { client } of [ada, bob]) await client.post(ANSWERS, { userCode: device.userCode }).expect(404);
    expect([await device.error(), await device.error()]).toEqual([error, error]);
  });

  it('gets no tokens if the client was disabled, or the user suspended, after the answer', async () => {
    const [first, second] = [await Device.start(await newDevice()), await Device.start(await newDevice())];
    const eve = await signedIn(app, acme, { roles: ['admin'] });
    for (const device of [first, second]) {
      await device.open(eve.client);
      expect([await device.answer(eve.client), await device.answer(eve.client)]).toEqual([[204], NOT_FOUND]);
    }
    await app.api.platform.patch(`/v1/organizations/acme/oauth-clients/${first.client}`, { enabled: false }).expect(200);
    await app.api.platform.post(`/v1/organizations/acme/users/${eve.id}/suspend`, { reason: 'Left' }).expect(200);
    expect([await first.error(), await second.error()]).toEqual(['invalid_client', 'invalid_grant']);
  });

  it('can not guess codes', async () => {
    const mallory = await signedIn(app, acme, { roles: ['member'] });
    const guess = async () => (await mallory.client.post(ANSWERS, { userCode: 'BCDF-BCDF' })).status;
    const statuses = [];
    for (let guesses = 0; guesses < 21; guesses += 1) statuses.push(await guess());
    expect([new Set(statuses.slice(0, -1)), statuses.at(-1)]).toEqual([new Set([404]), 429]);
  });
});
