import { beforeEach, describe, expect, it } from '@jest/globals';
import { systemContext } from '#platform/common';
import { BreakGlassService } from '../../libs/identity/break-glass/src/break-glass.service.js';
import { eventsDuring } from '../support/events-during.js';
import type { PendingResponse, TestBody } from '../support/http-client.js';
import { at, checkPermission, made, newOrganization, read } from '../support/organizations.js';
import { type SignedIn, signedIn } from '../support/signed-in.js';
import { testApp } from '../support/test-app.js';

const REASON = 'Production is down and no owner can be reached';

describe('break-glass access', () => {
  const app = testApp({ role: 'api' });
  let acme: string;
  let requests: string;
  let owner: SignedIn;
  let requester: SignedIn;

  const ask = (person = requester, durationSeconds = 3_600): PendingResponse =>
    person.client.post(requests, { reason: REASON, durationSeconds });
  const request = async (person = requester): Promise<TestBody> => (await ask(person).expect(201)).body.data;
  const decide = ({ id }: TestBody, decision: 'approve' | 'deny' | 'end', { client } = owner): PendingResponse =>
    client.post(`${requests}/${id}/${decision}`, decision === 'deny' ? { note: 'Call me' } : undefined);
  const approved = async (): Promise<TestBody> => (await decide(await request(), 'approve').expect(200)).body.data;
  /** Deletes a child organization, which only an owner is allowed to do. */
  const deleteChild = async ({ client }: SignedIn = requester): Promise<number> =>
    (await client.delete(at((await newOrganization(app, { parentId: acme })).id))).status;
  const closeOverdue = () => app.app.get(BreakGlassService, { strict: false }).closeOverdue(systemContext('test'), 100);
  const expire = (column: 'ends_at' | 'expires_at', { id }: TestBody) =>
    app.database.query(`UPDATE break_glass_requests SET ${column} = now() WHERE id = $1`, [id]);

  beforeEach(async () => {
    acme = (await newOrganization(app)).id;
    requests = at(acme, '/break-glass');
    owner = await signedIn(app, acme, { roles: ['owner'] });
    requester = await signedIn(app, acme, { roles: ['admin'] });
  });

  it('grants the permissions of an owner after another user approves the request', async () => {
    expect(await deleteChild()).toBe(403);
    const pending = await request();
    expect(pending).toMatchObject({
      organizationId: acme,
      requesterId: requester.id,
      requesterEmail: requester.email,
      reason: REASON,
      role: 'owner',
      durationSeconds: 3_600,
      status: 'pending',
      decidedAt: null,
      endsAt: null,
    });
    expect(await deleteChild()).toBe(403);

    const { data } = (await decide(pending, 'approve').expect(200)).body;
    expect(data).toMatchObject({ status: 'approved', decidedById: owner.id });
    expect(Date.parse(data.endsAt) - Date.parse(data.decidedAt)).toBe(3_600_000);
    expect(await deleteChild()).toBe(204);
    expect(await checkPermission(app, acme, requester.id, 'organizations:delete')).toMatchObject({
      allowed: true,
      because: [{ roleId: 'role_owner', organizationId: acme, source: 'break_glass' }],
    });
  });

  it('expires without a background process, and so does a request without a decision', async () => {
    const access = await approved();
    expect(await deleteChild()).toBe(204);
    await expire('ends_at', access);
    expect(await deleteChild()).toBe(403);
    expect(await read(app, `${requests}/${access.id}`)).toMatchObject({ status: 'ended', endedReason: 'time_over' });
    await closeOverdue();
    const expired = await request();
    await expire('expires_at', expired);
    expect((await decide(expired, 'approve').expect(409)).body.detail).toContain('expired');
    await closeOverdue();
    await request();
  });

  it('publishes an event for each step and notifies the owners by email', async () => {
    // Closes the requests of other tests.
    await closeOverdue();
    const events = await eventsDuring(app, async () => {
      await expire('ends_at', await approved());
      expect([await closeOverdue(), await closeOverdue()]).toEqual([1, 0]);
    });
    expect(events.map(({ type }) => type)).toEqual([
      'security.break_glass_requested',
      'role.assigned',
      'role.revoked',
      'security.break_glass_ended',
    ]);
    expect(events).toMatchObject([
      { data: { requesterId: requester.id, reason: REASON, role: 'owner', durationSeconds: 3_600 } },
      { data: { user: { id: requester.id }, role: { id: 'role_owner' } } },
      {},
      {},
    ]);
    const mails = `SELECT recipient FROM messages WHERE organization_id = $1 AND template = 'break_glass_requested'`;
    expect(await app.database.query(mails, [acme])).toEqual([{ recipient: owner.email }]);
  });

  it('publishes an event when a request is denied, and rejects decisions of the requester and of owners through break-glass access', async () => {
    const denied = await request();
    const events = await eventsDuring(app, async () => {
      const { body } = await decide(denied, 'deny').expect(200);
      expect(body.data).toMatchObject({ status: 'denied', decisionNote: 'Call me', endsAt: null });
    });
    expect(events.map(({ type }) => type)).toContain('security.suspicious_activity');
    expect(await deleteChild()).toBe(403);
    await decide(denied, 'approve').expect(409, 'break_glass_not_open');
    const ownRequest = await request(owner);
    await decide(ownRequest, 'approve').expect(403, 'second_person_required');
    await approved();
    await decide(ownRequest, 'approve', requester).expect(403, 'second_person_required');
  });

  it('can be ended by the requester or an approver, and ends when the requester is suspended or loses all roles', async () => {
    for (const [person, endedReason] of [
      [requester, 'returned'],
      [owner, 'withdrawn'],
    ] as const) {
      const access = await approved();
      expect(await deleteChild()).toBe(204);
      expect((await decide(access, 'end', person).expect(200)).body.data).toMatchObject({ status: 'ended', endedReason });
      expect(await deleteChild()).toBe(403);
      await decide(access, 'end', person).expect(409);
    }
    for (const lose of [
      () => app.api.platform.post(at(acme, `/users/${requester.id}/suspend`)).expect(200),
      () => app.api.platform.delete(at(acme, `/members/${requester.id}`)).expect(204),
    ]) {
      requester = await signedIn(app, acme, { roles: ['admin'] });
      const elsewhere = (await newOrganization(app, { parentId: acme })).id;
      await made(app, at(elsewhere, '/members'), { userId: requester.id, role: 'viewer' });
      await approved();
      expect(await deleteChild()).toBe(204);
      await lose();
      expect(await deleteChild()).not.toBe(204);
    }
  });

  it('accepts only one of several concurrent requests of a user, and one of several concurrent decisions', async () => {
    const asked = await Promise.all(Array.from({ length: 4 }, () => ask()));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409]);
    const pending = asked.find(({ status }) => status === 201)!.body.data;
    const decisions = ['approve', 'deny', 'approve', 'deny'] as const;
    const responses = await Promise.all(decisions.map((decision) => decide(pending, decision)));
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
  });

  /** contract/power-over-people.spec.ts tests the operations that create or change something. */
  it('can’t be used to remove the second factors of a member', async () => {
    const { id } = await made(app, at(acme, '/roles'), { name: 'asking', permissions: ['break_glass:request'] });
    const asking = await signedIn(app, acme, { roles: [id] });
    await decide(await request(asking), 'approve').expect(200);
    const member = at(acme, `/users/${(await signedIn(app, acme)).id}`);
    await asking.client.get(member).expect(200);
    await asking.client.delete(`${member}/mfa`).expect(403, 'forbidden');
  });
});
