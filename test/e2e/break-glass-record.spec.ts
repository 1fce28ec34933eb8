import { describe, expect, it } from '@jest/globals';
import { numberedEvents } from '../support/event-log.js';
import { made, newOrganization } from '../support/organizations.js';
import { signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

describe('the break-glass event list', () => {
  const app = testApp();

  it('includes only events that the requester caused during the access', async () => {
    const { id } = await newOrganization(app);
    const owner = await signedIn(app, id, { roles: ['owner'] });
    const requester = await signedIn(app, id, { roles: ['admin'] });
    const child = await made(app, '/v1/organizations', { name: 'Child', parentId: id });
    const grandchild = await made(app, '/v1/organizations', { name: 'Grandchild', parentId: child.id });
    const requests = `/v1/organizations/${id}/break-glass`;
    const rename = (name: string) => requester.client.patch(`/v1/organizations/${id}`, { name }).expect(200);

    await rename('Before');
    const request = { reason: 'Production is down', durationSeconds: 300 };
    const pending = (await requester.client.post(requests, request).expect(201)).body.data;
    const approved = (await owner.client.post(`${requests}/${pending.id}/approve`).expect(200)).body.data;
    await requester.client.delete(`/v1/organizations/${grandchild.id}`).expect(204);
    await requester.client.post(`${requests}/${pending.id}/end`).expect(200);
    await rename('After');
    await numberedEvents(app);

    const ended = (await owner.client.get(`${requests}/${pending.id}`).expect(200)).body.data;
    const { data } = (await owner.client.get(ended.eventsUrl).expect(200)).body;
    const untilOf = ({ eventsUrl }: { eventsUrl: string }) => new URL(eventsUrl, app.url).searchParams.get('until');
    expect(pending.eventsUrl).toBeNull();
    expect([untilOf(approved), untilOf(ended)]).toEqual([approved.endsAt, ended.endedAt]);
    expect(data.map(({ type, actor }: { type: string; actor: { id: string } }) => [type, actor.id])).toEqual([
      ['organization.deleted', requester.id],
    ]);
  });
});
