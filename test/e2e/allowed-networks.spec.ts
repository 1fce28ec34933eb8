import { beforeEach, describe, expect, it } from '@jest/globals';
import { keyClient, newOrganization } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const ALLOWED_ADDRESS = '203.0.113.7';
const OTHER_ADDRESS = '198.51.100.9';

describe('the allowedNetworks setting', () => {
  const app = testApp({ trustProxy: ['127.0.0.1'] });
  let at: string;
  let org: string;
  let admin: SignedIn;
  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    at = `/v1/organizations/${org}`;
    admin = await signedIn(app, org, { roles: ['admin'] });
  });

  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
  const get = async (path: string, address: string): Promise<[number, string | undefined]> => {
    const { status, body } = await admin.client.get(path, from(address));
    return [status, body.code];
  };
  const allow = (organization: string, allowedNetworks: string[] | null) =>
    app.api.platform.patch(`/v1/organizations/${organization}`, { settings: { allowedNetworks } }).expect(200);

  it('lets users manage the organization only from the allowed networks', async () => {
    await allow(org, ['203.0.113.0/24', '2001:db8::/32']);
    for (const address of [ALLOWED_ADDRESS, '2001:db8::5', `${ALLOWED_ADDRESS}:51234`])
      expect((await get(`${at}/users`, address))[0]).toBe(200);
    expect(await get(`${at}/users`, OTHER_ADDRESS)).toEqual([403, 'network_not_allowed']);
    const { body } = await admin.client.post(`${at}/roles`, { name: 'r', permissions: [] }, from(OTHER_ADDRESS)).expect(403);
    expect(body.detail).toMatch(/can't be managed from the address 198\.51\.100\.9/);
    // The address of the proxy says nothing about the client.
    await allow(org, ['127.0.0.0/8']);
    expect(await get(`${at}/users`, 'unknown')).toEqual([403, 'network_not_allowed']);
    await allow(org, null);
    expect((await get(`${at}/users`, OTHER_ADDRESS))[0]).toBe(200);
  });

  it('applies to descendant organizations without an override', async () => {
    const child = (await newOrganization(app, { parentId: org })).id as string;
    const listed = async (address: string): Promise<string[]> => {
      const { body } = await admin.client.get('/v1/organizations', from(address)).expect(200);
      return body.data.map(({ id }: { id: string }) => id).toSorted();
    };
    const both = [org, child].toSorted();
    expect(await listed(OTHER_ADDRESS)).toEqual(both);
    await allow(org, ['203.0.113.0/24']);
    expect(await get(`/v1/organizations/${child}/users`, OTHER_ADDRESS)).toEqual([403, 'network_not_allowed']);
    expect(await listed(ALLOWED_ADDRESS)).toEqual(both);
    expect(await listed(OTHER_ADDRESS)).toEqual([]);
    // The networks of the organization that manages the user apply to the child organization, too.
    await allow(child, ['198.51.100.0/24']);
    for (const address of [OTHER_ADDRESS, ALLOWED_ADDRESS])
      expect(await get(`/v1/organizations/${child}/users`, address)).toEqual([403, 'network_not_allowed']);
    expect(await listed(ALLOWED_ADDRESS)).toEqual([org]);
  });

  it('can be changed only by callers with all permissions', async () => {
    const owner = await signedIn(app, org, { roles: ['owner'] });
    const { detail } = (
      await admin.client.patch(at, { settings: { allowedNetworks: [ALLOWED_ADDRESS] } }, from(ALLOWED_ADDRESS)).expect(403)
    ).body;
    expect(detail).toMatch(/^Changing allowedNetworks requires all permissions/);
    const change = (allowedNetworks: string[]) =>
      owner.client.patch(at, { settings: { allowedNetworks } }, from(ALLOWED_ADDRESS));
    expect((await change(['198.51.100.0/24']).expect(400)).body.errors).toMatchObject([
      { pointer: '/settings/allowedNetworks', code: 'locks_you_out' },
    ]);
    expect((await change([ALLOWED_ADDRESS, 'example.com']).expect(400)).body.errors).toMatchObject([
      { pointer: '/settings/allowedNetworks/1', code: 'invalid_network' },
    ]);
    const { settings } = (await change([ALLOWED_ADDRESS]).expect(200)).body.data;
    expect(settings.allowedNetworks).toEqual([`${ALLOWED_ADDRESS}/32`]);
    expect(await get(at, OTHER_ADDRESS)).toEqual([403, 'network_not_allowed']);
  });

  it('does not apply to API keys and to requests to /v1/auth', async () => {
    await allow(org, ['203.0.113.0/24']);
    await (await keyClient(app, org, ['users:read'])).get(`${at}/users`, from(OTHER_ADDRESS)).expect(200);
    await admin.client.post('/v1/auth/logout', {}, from(OTHER_ADDRESS)).expect(204);
  });
});
