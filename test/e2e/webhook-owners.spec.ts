import { beforeEach, describe, expect, it } from '@jest/globals';
import { FlaggedWebhooks } from '#webhooks/webhooks';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody, TestClient } from '../support/http-client.js';
import { at as pathIn, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const NEW_WEBHOOK = { url: 'https://example.com/hooks', events: ['user.*'], name: 'Billing' };

describe('a webhook', () => {
  const app = testApp();
  let at: string;
  let org: string;
  let owner: SignedIn;
  let id: string;
  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    at = pathIn(org);
    owner = await signedIn(app, org, { roles: ['admin'] });
    id = await create(owner.client);
  });

  const create = async (client: TestClient): Promise<string> =>
    (await client.post(`${at}/webhooks`, NEW_WEBHOOK).expect(201)).body.data.id;
  const shown = (webhook = id): Promise<TestBody> => read(app, `${at}/webhooks/${webhook}`);
  /** Checks all webhooks, as the worker does repeatedly. */
  const check = async (): Promise<void> => {
    while (await app.app.get(FlaggedWebhooks).run());
  };
  const user = () => `${at}/users/${owner.id}`;
  const disableFlagged = () => app.api.platform.patch(at, { settings: { disableFlaggedWebhooks: true } }).expect(200);
  const setStatus = (change: 'suspend' | 'activate') => app.api.platform.post(`${user()}/${change}`).expect(200);

  /** Replaces the owner's role by a role without permission to read events. */
  async function demote(): Promise<void> {
    await made(app, `${at}/roles`, { name: 'editor', permissions: ['webhooks:*', 'api_keys:*'] });
    await made(app, `${user()}/roles`, { roleId: 'editor' });
    await app.api.platform.delete(`${user()}/roles/role_admin`).expect(204);
  }

  it.each([
    ['is suspended', 'owner_suspended', () => setStatus('suspend')],
    ['is deleted', 'owner_deleted', () => app.api.platform.delete(user()).expect(204)],
    ['is deleted permanently', 'owner_deleted', () => app.api.platform.delete(`${user()}?permanent=true`).expect(204)],
    ['loses the permission to read events', 'permissions_lost', demote],
  ])('is flagged when the owner %s', async (_what, flag, lose) => {
    await check();
    expect(await shown()).toMatchObject({ ownerId: owner.id, flag: null, flaggedAt: null, enabled: true });
    await lose();
    const data = { id, organizationId: org, name: 'Billing', flag, disabled: false };
    expect(await eventsDuring(app, check)).toMatchObject([{ type: 'security.webhook_flagged', data }]);
    expect(await shown()).toMatchObject({ flag, flaggedAt: expect.any(String), enabled: true });
    // The event is published once.
    expect(await eventsDuring(app, check)).toEqual([]);
  });

  it('is disabled until the owner regains access if disableFlaggedWebhooks is set', async () => {
    await disableFlagged();
    await setStatus('suspend');
    await check();
    expect(await shown()).toMatchObject({ flag: 'owner_suspended', enabled: false, disabledReason: 'owner' });
    await setStatus('activate');
    const data = { flag: null, disabled: false };
    expect(await eventsDuring(app, check)).toMatchObject([{ type: 'security.webhook_flagged', data }]);
    expect(await shown()).toMatchObject({ flag: null, enabled: true, disabledReason: null });
    // A webhook that a user disabled stays disabled.
    await owner.client.patch(`${at}/webhooks/${id}`, { enabled: false }).expect(200);
    for (const [change, flag] of [
      ['suspend', 'owner_suspended'],
      ['activate', null],
    ] as const) {
      await setStatus(change);
      await check();
      expect(await shown()).toMatchObject({ flag, enabled: false, disabledReason: 'hand' });
    }
  });

  it('can be enabled only with the permission to read events', async () => {
    await disableFlagged();
    await demote();
    await check();
    expect(await shown()).toMatchObject({ enabled: false, disabledReason: 'owner' });
    const change = { enabled: true };
    expect((await owner.client.patch(`${at}/webhooks/${id}`, change).expect(403)).body.detail).toMatch(/events:read/);
    const other = await signedIn(app, org, { roles: ['admin'] });
    await other.client.patch(`${at}/webhooks/${id}`, change).expect(200);
    expect(await shown()).toMatchObject({ ownerId: other.id, flag: null, enabled: true });
    await check();
    expect(await shown()).toMatchObject({ ownerId: other.id, flag: null, enabled: true });
  });

  it('belongs to the owner of the API key that created the webhook', async () => {
    const scopes = ['webhooks:write', 'events:read'];
    const { body } = await owner.client.post(`${at}/api-keys`, { name: 'sync', scopes }).expect(201);
    const ofKey = await create(app.api.as(body.data.key));
    await app.api.platform.patch(`${at}/webhooks/${ofKey}`, { name: 'Renamed' }).expect(200);
    expect((await shown(ofKey)).ownerId).toBe(owner.id);
    await setStatus('suspend');
    await check();
    expect((await shown(ofKey)).flag).toBe('owner_suspended');
    // The platform is not a user, so it cannot lose access.
    await app.api.platform.patch(`${at}/webhooks/${ofKey}`, { events: ['role.*'] }).expect(200);
    expect(await shown(ofKey)).toMatchObject({ ownerId: null, flag: null });
  });

  it('is enabled when the platform becomes the owner', async () => {
    await disableFlagged();
    await setStatus('suspend');
    await check();
    await app.api.platform.patch(`${at}/webhooks/${id}`, { events: ['role.*'] }).expect(200);
    expect(await shown()).toMatchObject({ ownerId: null, flag: null, enabled: true, disabledReason: null });
  });

  /** A webhook sends events to another system, so configuring its events requires permission to read events. */
  const key = (...scopes: string[]): Promise<TestClient> => keyClient(app, org, scopes);
  async function rejected(request: PendingResponse): Promise<void> {
    const { body } = await request.expect(403);
    expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('"events:read"') });
  }

  it('can be created only with the permission to read events', async () => {
    const writer = await key('webhooks:*');
    await writer.get(`${at}/events`).expect(403);
    await rejected(writer.post(`${at}/webhooks`, { url: NEW_WEBHOOK.url, events: ['*'], includeDescendants: true }));
    await create(await key('webhooks:write', 'events:read'));
  });

  it.each(['by organization and id', 'by webhook id'])('can’t be changed %s if the caller can’t read events', async (which) => {
    await app.api.platform.patch(`${at}/webhooks/${id}`, { enabled: false }).expect(200);
    const webhook = which === 'by webhook id' ? `/v1/webhooks/${id}` : `${at}/webhooks/${id}`;
    const writer = await key('webhooks:*');
    for (const change of [
      { url: `${NEW_WEBHOOK.url}/elsewhere` },
      { events: ['*'] },
      { includeDescendants: true },
      { filter: null },
      // The headers can select another account of the receiver.
      { headers: { authorization: 'Bearer other' } },
      { enabled: true },
    ])
      await rejected(writer.patch(webhook, change));
    await writer.patch(webhook, { name: 'Renamed', enabled: false }).expect(200);
    await writer.delete(webhook).expect(204);
  });

  it('can’t be created with break-glass access', async () => {
    const role = await made(app, `${at}/roles`, { name: 'responder', permissions: ['break_glass:request', 'webhooks:*'] });
    const responder = await signedIn(app, org, { roles: [role.id] });
    const approver = await signedIn(app, org, { roles: ['owner'] });
    const wish = { reason: 'Production is down and no owner can be reached', durationSeconds: 300 };
    const { id } = (await responder.client.post(`${at}/break-glass`, wish).expect(201)).body.data;
    await approver.client.post(`${at}/break-glass/${id}/approve`).expect(200);
    await responder.client.get(`${at}/events`).expect(200);
    await rejected(responder.client.post(`${at}/webhooks`, { url: NEW_WEBHOOK.url, events: ['*'] }));
  });
});
