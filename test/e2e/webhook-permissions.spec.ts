import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PendingResponse, TestClient } from '../support/http-client.js';
import { made, newOrganization } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const URL = 'https://127.0.0.1:9/hooks';

/** A webhook sends events to another system, so configuring its events requires permission to read events. */
describe('a webhook', () => {
  const app = testApp();
  let org: string;
  let at: string;
  let path: string;
  beforeEach(async () => {
    org = (await newOrganization(app)).id;
    at = `/v1/organizations/${org}`;
    path = `${at}/webhooks`;
  });

  const key = async (...scopes: string[]): Promise<TestClient> =>
    app.api.as((await app.api.platform.post(`${at}/api-keys`, { name: 'key', scopes }).expect(201)).body.data.key);
  async function rejected(request: PendingResponse): Promise<void> {
    const { body } = await request.expect(403);
    expect(body).toMatchObject({ code: 'forbidden', detail: expect.stringContaining('"events:read"') });
  }

  it('can be created only with the permission to read events', async () => {
    const writer = await key('webhooks:*');
    await writer.get(`${at}/events`).expect(403);
    await rejected(writer.post(path, { url: URL, events: ['*'], includeDescendants: true }));
    await (await key('webhooks:write', 'events:read')).post(path, { url: URL, events: ['*'] }).expect(201);
  });

  it.each(['by organization and id', 'by webhook id'])('can’t be changed %s if the caller can’t read events', async (which) => {
    const { id } = await made(app, path, { url: URL, events: ['user.created'], enabled: false });
    const webhook = which === 'by webhook id' ? `/v1/webhooks/${id}` : `${path}/${id}`;
    const writer = await key('webhooks:*');
    for (const change of [
      { url: `${URL}/elsewhere` },
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
    const owner = await signedIn(app, org, { roles: ['owner'] });
    const wish = { reason: 'Production is down and no owner can be reached', durationSeconds: 300 };
    const { id } = (await responder.client.post(`${at}/break-glass`, wish).expect(201)).body.data;
    await owner.client.post(`${at}/break-glass/${id}/approve`).expect(200);
    await responder.client.get(`${at}/events`).expect(200);
    await rejected(responder.client.post(path, { url: URL, events: ['*'] }));
  });
});
