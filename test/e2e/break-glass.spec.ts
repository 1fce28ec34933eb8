import { beforeEach, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { OrganizationPurgeService } from '#directory/organizations';
import { BreakGlassService } from '../../libs/identity/break-glass/src/break-glass.service.js';
import { eventsDuring } from '../support/events-during.js';
import { later } from '../support/sign-in.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const MONTH_MS = 31 * 86_400_000;
const REASON = 'Production is down and no owner can be reached';

const app = testApp({ role: 'api' });
let acme: { id: string };
let requestsPath: string;
let owner: SignedIn;
let requester: SignedIn;

const requestAccess = async (person: SignedIn, durationSeconds = 3_600) =>
  (await person.client.post(requestsPath, { reason: REASON, durationSeconds }).expect(201)).body.data;
/** Deletes a child organization, which only an owner is allowed to do. */
const deleteChild = async (person: SignedIn) => {
  const { body } = await app.api.platform.post('/v1/organizations', { name: 'Child', parentId: acme.id }).expect(201);
  return person.client.delete(`/v1/organizations/${body.data.id}`);
};
beforeEach(async () => {
  const { body } = await app.api.platform.post('/v1/organizations', { name: 'Acme' }).expect(201);
  acme = { id: body.data.id };
  requestsPath = `/v1/organizations/${acme.id}/break-glass`;
  owner = await signedIn(app, acme.id, { roles: ['owner'] });
  requester = await signedIn(app, acme.id, { roles: ['admin'] });
});

describe('break-glass access', () => {
  it('grants the permissions of an owner after another user approves the request', async () => {
    expect((await deleteChild(requester)).status).toBe(403);
    const request = await requestAccess(requester);
    expect(request).toEqual({
      id: expect.stringMatching(/^bgr_/),
      organizationId: acme.id,
      requesterId: requester.id,
      requesterEmail: requester.email,
      reason: REASON,
      role: 'owner',
      durationSeconds: 3_600,
      status: 'pending',
      expiresAt: expect.any(String),
      decidedAt: null,
      decidedById: null,
      decisionNote: null,
      endsAt: null,
      endedAt: null,
      endedReason: null,
      eventsUrl: null,
      createdAt: expect.any(String),
    });
    expect((await deleteChild(requester)).status).toBe(403);

    const { body } = await owner.client.post(`${requestsPath}/${request.id}/approve`).expect(200);
    expect(body.data).toMatchObject({ status: 'approved', decidedById: owner.id });
    expect(Date.parse(body.data.endsAt) - Date.parse(body.data.decidedAt)).toBe(3_600_000);
    expect((await deleteChild(requester)).status).toBe(204);
    const check = await app.api.platform
      .post(`/v1/organizations/${acme.id}/permissions/check`, { userId: requester.id, permission: 'organizations:delete' })
      .expect(200);
    expect(check.body.data).toMatchObject({
      allowed: true,
      because: [{ roleId: 'role_owner', organizationId: acme.id, source: 'break_glass' }],
    });
  });

  it('expires without a background process', async () => {
    const request = await requestAccess(requester);
    await owner.client.post(`${requestsPath}/${request.id}/approve`).expect(200);
    expect((await deleteChild(requester)).status).toBe(204);
    await app.database.query(`UPDATE break_glass_requests SET ends_at = now() WHERE id = $1`, [request.id]);
    expect((await deleteChild(requester)).status).toBe(403);
    const { body } = await requester.client.get(`${requestsPath}/${request.id}`).expect(200);
    expect(body.data).toMatchObject({ status: 'ended', endedReason: 'time_over' });
  });

  it('publishes an event for each step and notifies the owners by email', async () => {
    const service = app.app.get(BreakGlassService, { strict: false });
    // Closes the requests of other tests.
    await service.closeOverdue(systemContext('test'), 100);
    const request = await requestAccess(requester);
    const mails = await app.database.query<{ recipient: string }>(
      `SELECT recipient FROM messages WHERE organization_id = $1 AND template = 'break_glass_requested'`,
      [acme.id],
    );
    expect(mails).toEqual([{ recipient: owner.email }]);
    await owner.client.post(`${requestsPath}/${request.id}/approve`).expect(200);
    await app.database.query(`UPDATE break_glass_requests SET ends_at = now() WHERE id = $1`, [request.id]);
    expect(await service.closeOverdue(systemContext('test'), 10)).toBe(1);
    expect(await service.closeOverdue(systemContext('test'), 10)).toBe(0);

    const events = await app.database.query<{ type: string; payload: string }>(
      `SELECT type, payload FROM events WHERE tenant_id = $1 AND (type LIKE 'security.break%' OR type LIKE 'role.%') ORDER BY seq`,
      [acme.id],
    );
    expect(events.map(({ type }) => type)).toEqual([
      'security.break_glass_requested',
      'role.assigned',
      'role.revoked',
      'security.break_glass_ended',
    ]);
    expect(JSON.parse(events[0]!.payload)).toMatchObject({
      data: { requestId: request.id, requesterId: requester.id, reason: REASON, role: 'owner', durationSeconds: 3_600 },
      actor: { type: 'user', id: requester.id },
    });
    expect(JSON.parse(events[1]!.payload)).toMatchObject({ data: { user: { id: requester.id }, role: { id: 'role_owner' } } });
  });

  it('publishes an event when a request is denied', async () => {
    const request = await requestAccess(requester);
    const events = await eventsDuring(app, async () => {
      const { body } = await owner.client.post(`${requestsPath}/${request.id}/deny`, { note: 'Call me' }).expect(200);
      expect(body.data).toMatchObject({ status: 'denied', decisionNote: 'Call me', endsAt: null });
    });
    expect(events.map(({ type }) => type)).toContain('security.suspicious_activity');
    expect((await deleteChild(requester)).status).toBe(403);
    const again = await owner.client.post(`${requestsPath}/${request.id}/approve`).expect(409);
    expect(again.body.code).toBe('break_glass_not_open');
  });

  it('can be ended by the requester or an approver', async () => {
    for (const [who, endedReason] of [
      [requester, 'returned'],
      [owner, 'withdrawn'],
    ] as const) {
      const request = await requestAccess(requester);
      await app.api.platform.post(`${requestsPath}/${request.id}/approve`).expect(200);
      expect((await deleteChild(requester)).status).toBe(204);
      const { body } = await who.client.post(`${requestsPath}/${request.id}/end`).expect(200);
      expect(body.data).toMatchObject({ status: 'ended', endedReason });
      expect((await deleteChild(requester)).status).toBe(403);
      await who.client.post(`${requestsPath}/${request.id}/end`).expect(409);
    }
  });
});

describe('the break-glass API', () => {
  it('rejects decisions of the requester and of owners through break-glass access', async () => {
    const ownerAsks = await requestAccess(owner);
    const own = await owner.client.post(`${requestsPath}/${ownerAsks.id}/approve`).expect(403);
    expect(own.body.code).toBe('second_person_required');

    const first = await requestAccess(requester);
    await owner.client.post(`${requestsPath}/${first.id}/approve`).expect(200);
    const borrowedApproval = await requester.client.post(`${requestsPath}/${ownerAsks.id}/approve`).expect(403);
    expect(borrowedApproval.body.code).toBe('second_person_required');
  });

  it('accepts only one of several concurrent requests of a user', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => requester.client.post(requestsPath, { reason: REASON, durationSeconds: 60 })),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
  });

  it('accepts only one of several concurrent decisions', async () => {
    const request = await requestAccess(requester);
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        owner.client.post(`${requestsPath}/${request.id}/${index % 2 ? 'approve' : 'deny'}`),
      ),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(7).fill(409)]);
  });

  it('rejects a decision on an expired request', async () => {
    const request = await requestAccess(requester);
    await app.database.query(`UPDATE break_glass_requests SET expires_at = now() WHERE id = $1`, [request.id]);
    const { body } = await owner.client.post(`${requestsPath}/${request.id}/approve`).expect(409);
    expect(body.detail).toContain('expired');
    await app.app.get(BreakGlassService, { strict: false }).closeOverdue(systemContext('test'), 100);
    await requestAccess(requester);
  });

  it('ends the access when the requester is suspended or loses all roles', async () => {
    for (const lose of [
      () => app.api.platform.post(`/v1/organizations/${acme.id}/users/${requester.id}/suspend`).expect(200),
      () => app.api.platform.delete(`/v1/organizations/${acme.id}/members/${requester.id}`).expect(204),
    ]) {
      requester = await signedIn(app, acme.id, { roles: ['admin'] });
      const request = await requestAccess(requester);
      await owner.client.post(`${requestsPath}/${request.id}/approve`).expect(200);
      expect((await deleteChild(requester)).status).toBe(204);
      await lose();
      expect((await deleteChild(requester)).status).not.toBe(204);
    }
  });

  it('deletes the requests of a user with the user', async () => {
    const requestCount = async (): Promise<number> => {
      const sql = 'SELECT count(*)::int AS count FROM break_glass_requests WHERE requester_id = $1';
      return (await app.database.query<{ count: number }>(sql, [requester.id]))[0]!.count;
    };
    await requestAccess(requester);
    expect(await requestCount()).toBe(1);
    await app.api.platform.delete(`/v1/organizations/${acme.id}/users/${requester.id}?permanent=true`).expect(204);
    expect(await requestCount()).toBe(0);

    const { body } = await app.api.platform.post('/v1/organizations', { name: 'Team', parentId: acme.id }).expect(201);
    requester = await signedIn(app, body.data.id, { roles: ['admin'] });
    await app.api.platform.post(`/v1/organizations/${acme.id}/members`, { userId: requester.id, role: 'admin' }).expect(201);
    await requestAccess(requester);
    expect(await requestCount()).toBe(1);
    await app.api.platform.delete(`/v1/organizations/${body.data.id}`).expect(204);
    await later(app, MONTH_MS, () => app.app.get(OrganizationPurgeService).purgeDue());
    expect(await requestCount()).toBe(0);
  });
});
