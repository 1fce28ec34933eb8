import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventsDuring, type WrittenEvent } from '../support/events-during.js';
import { expectFields } from '../support/fields.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { ADDED_MEMBER, LISTED_MEMBER } from '../support/specification-tables.js';
import { testApp } from '../support/test-app.js';

const at = (id: string, rest = ''): string => `/v1/organizations/${id}${rest}`;

/** The lifecycle of a membership, with the response and the events of each step. */
describe('a member', () => {
  const app = testApp();
  let top: string;
  let managingOrganization: string;
  let team: string;
  let next = 0;

  const make = async (name: string, parentId?: string): Promise<string> =>
    (await app.api.platform.post('/v1/organizations', { name, parentId }).expect(201)).body.data.id;
  const user = async (organization: string, body: object = {}): Promise<{ id: string; email: string }> =>
    (await app.api.platform.post(at(organization, '/users'), { email: `l${++next}@x.example`, ...body }).expect(201)).body.data;
  const keyWith = async (organization: string, scopes: string[]): Promise<TestClient> =>
    app.api.as((await app.api.platform.post(at(organization, '/api-keys'), { name: 'k', scopes }).expect(201)).body.data.key);
  const setMember = async (body: object, status = 201): Promise<TestBody> =>
    (await app.api.platform.post(at(team, '/members'), body).expect(status)).body.data;
  const listed = async (userId: string): Promise<TestBody> =>
    (await app.api.platform.get(at(team, '/members?limit=100')).expect(200)).body.data.find(
      (member: TestBody) => member.userId === userId,
    );
  const change = (type: 'role.assigned' | 'role.revoked', { id, email }: { id: string; email: string }, name: string) =>
    ({
      type,
      organization: { id: team, name: 'Team' },
      data: { organization: { id: team, name: 'Team' }, user: { id, email }, role: { id: `role_${name}`, name } },
    }) satisfies WrittenEvent;

  beforeAll(async () => {
    top = await make('Members');
    managingOrganization = await make('Home', top);
    team = await make('Team', top);
  });

  it('can be added, get another role and be removed', async () => {
    const person = await user(managingOrganization, { displayName: 'Ada' });
    let added: TestBody;
    const addition = await eventsDuring(app, async () => {
      added = await setMember({ userId: person.id, role: 'viewer' });
    });
    expectFields(added, ADDED_MEMBER);
    expect(added).toMatchObject({ userId: person.id, organizationId: team, role: 'viewer' });
    const shown = { organizationId: team, userId: person.id, email: person.email };
    expect(addition).toEqual([
      {
        type: 'organization.member_added',
        organization: { id: team, name: 'Team' },
        data: { ...shown, role: 'viewer', joinedAt: added.joinedAt },
      },
    ]);
    expectFields(await listed(person.id), LISTED_MEMBER);

    expect(await eventsDuring(app, () => setMember({ userId: person.id, role: 'viewer' }))).toEqual([]);
    expect(await eventsDuring(app, () => setMember({ userId: person.id }))).toEqual([]);
    const promotion = await eventsDuring(app, () => setMember({ userId: person.id, role: 'admin' }));
    expect(promotion).toEqual([change('role.revoked', person, 'viewer'), change('role.assigned', person, 'admin')]);
    expect(await listed(person.id)).toMatchObject({ role: 'admin', joinedAt: added.joinedAt, displayName: 'Ada' });

    const removal = await eventsDuring(app, () => app.api.platform.delete(at(team, `/members/${person.id}`)).expect(204));
    expect(removal).toEqual([
      {
        type: 'organization.member_removed',
        organization: { id: team, name: 'Team' },
        data: { ...shown, role: 'admin', removedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
      },
    ]);
    expect(await listed(person.id)).toBeUndefined();
    expect(await eventsDuring(app, () => app.api.platform.delete(at(team, `/members/${person.id}`)).expect(404))).toEqual([]);
    await app.api.platform.get(at(managingOrganization, `/users/${person.id}`)).expect(200);
    await app.api.platform.get(at(team, `/users/${person.id}`)).expect(404);
  });

  it('keeps a directly assigned role when the role of the membership changes', async () => {
    const person = await user(managingOrganization);
    await setMember({ userId: person.id, role: 'viewer' });
    const assignRole = () => app.api.platform.post(at(team, `/users/${person.id}/roles`), { roleId: 'viewer' }).expect(200);
    expect(await eventsDuring(app, assignRole)).toEqual([]);
    expect(await eventsDuring(app, () => setMember({ userId: person.id, role: 'admin' }))).toEqual([
      change('role.assigned', person, 'admin'),
    ]);
    expect(await eventsDuring(app, () => setMember({ userId: person.id, role: 'viewer' }))).toEqual([
      change('role.revoked', person, 'admin'),
    ]);
  });

  it('gets the default role when the role of the membership is revoked', async () => {
    const person = await user(managingOrganization);
    await setMember({ userId: person.id, role: 'admin' });
    const revoke = (role: string, status: number) => () =>
      app.api.platform.delete(at(team, `/users/${person.id}/roles/${role}`)).expect(status);
    expect(await eventsDuring(app, revoke('admin', 204))).toEqual([
      change('role.revoked', person, 'admin'),
      change('role.assigned', person, 'member'),
    ]);
    expect(await eventsDuring(app, revoke('member', 204))).toEqual([]);
    expect(await listed(person.id)).toMatchObject({ role: 'member' });
    expect(await eventsDuring(app, revoke('admin', 404))).toEqual([]);
  });

  it('can be added with a default role whose permissions the caller lacks', async () => {
    await app.api.platform.patch(at(managingOrganization), { settings: { defaultRole: 'admin' } }).expect(200);
    const person = await user(team);
    const key = await keyWith(top, ['members:write']);
    const addMember = (role?: string) => key.post(at(managingOrganization, '/members'), { userId: person.id, role });
    for (const role of ['admin', 'owner', 'member']) expect((await addMember(role).expect(403)).body.code).toBe('forbidden');
    expect((await addMember().expect(201)).body.data.role).toBe('admin');
  });
});
