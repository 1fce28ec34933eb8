import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { TestClient } from '../support/http-client.js';
import { keyClient, made, newOrganization } from '../support/organizations.js';
import { eightTimes, fourAgainstFour, LONG_TEST_MS, oneWins, ROUNDS, rounds } from '../support/races.js';
import { testApp } from '../support/test-app.js';

const CHILDREN_OF_DELETED = `SELECT FROM organizations c JOIN organizations p ON p.id = c.parent_id WHERE c.deleted_at IS NULL AND p.deleted_at IS NOT NULL`;

jest.setTimeout(LONG_TEST_MS);

describe('a race of eight requests', () => {
  const app = testApp();
  let platform: TestClient;
  /** A client with an API key that has all permissions in the organization. An API key can't remove the last owner; a platform key can. */
  let key: TestClient;

  beforeAll(async () => {
    ({ platform } = app.api);
    await newOrganization(app, { slug: 'acme' });
    key = await keyClient(app, 'acme', ['*']);
  });

  const newUser = async (round: number | string, roles?: string[]): Promise<string> =>
    (await made(app, '/v1/organizations/acme/users', { email: `u-${round}@example.com`, roles })).id;

  it('never leaves a user with a deleted role', async () => {
    const user = await newUser('role');
    const outcomes = await rounds(async (round) => {
      const { id } = await made(app, '/v1/organizations/acme/roles', { name: `r${round}`, permissions: ['x:y'] });
      return fourAgainstFour(
        round,
        () => platform.post(`/v1/organizations/acme/users/${user}/roles`, { roleId: id }),
        () => platform.delete(`/v1/organizations/acme/roles/${id}`),
      );
    });
    const [assigned, deleted] = [
      { left: [200, 200, 200, 201], right: [409, 409, 409, 409] },
      { left: [404, 404, 404, 404], right: [204, 404, 404, 404] },
    ];
    expect(unexpected(outcomes, assigned, deleted)).toEqual([]);
    const orphans = await app.database.query(
      `SELECT FROM role_assignments a WHERE role_id LIKE 'role\\_0%' AND NOT EXISTS (SELECT FROM roles r WHERE r.id = a.role_id)`,
    );
    expect(orphans).toEqual([]);
  });

  it('never leaves an active child of a deleted organization', async () => {
    const outcomes = await rounds(async (round) => {
      const { id } = await newOrganization(app, { parentId: 'acme' });
      return fourAgainstFour(
        round,
        () => platform.delete(`/v1/organizations/${id}`),
        () => platform.post('/v1/organizations', { name: `C${round}`, parentId: id }),
      );
    });
    const [deleted, added] = [
      { left: [204, 404, 404, 404], right: [404, 404, 404, 404] },
      { left: [409, 409, 409, 409], right: [201, 201, 201, 201] },
    ];
    expect(unexpected(outcomes, deleted, added)).toEqual([]);
    expect(await app.database.query(CHILDREN_OF_DELETED)).toEqual([]);
  });

  it('never leaves an active grandchild of a deleted organization', async () => {
    const outcomes = await rounds(async (round) => {
      const top = await newOrganization(app, { parentId: 'acme' });
      const middle = await newOrganization(app, { parentId: top.id });
      const { left, right } = await fourAgainstFour(
        round,
        () => platform.delete(`/v1/organizations/${top.id}?cascade=true`),
        () => platform.post('/v1/organizations', { name: `D${round}`, parentId: middle.id }),
      );
      // Any number of descendants can be created before the deletion.
      return { left, right: [...new Set(right)].filter((status) => ![201, 404].includes(status)) };
    });
    expect(unexpected(outcomes, { left: [204, 404, 404, 404], right: [] })).toEqual([]);
    expect(await app.database.query(CHILDREN_OF_DELETED)).toEqual([]);
  });

  it('never removes the last owner', async () => {
    const operations = [
      (id: string) => key.delete(`/v1/organizations/acme/members/${id}`),
      (id: string) => key.delete(`/v1/organizations/acme/users/${id}/roles/owner`),
      (id: string) => key.post('/v1/organizations/acme/members', { userId: id, role: 'viewer' }),
      (id: string) => key.post(`/v1/organizations/acme/users/${id}/suspend`, {}),
      (id: string) => key.delete(`/v1/organizations/acme/users/${id}`),
    ];
    const outcomes = await rounds(async (round) => {
      const [one, two] = [await newUser(`o1-${round}`, ['owner']), await newUser(`o2-${round}`, ['owner'])];
      const [left, right] = [operations[round % 5]!, operations[Math.floor(round / 5) % 5]!];
      const statuses = await fourAgainstFour(
        round,
        () => left(one),
        () => right(two),
      );
      const owners = await app.database.query(
        `SELECT user_id FROM role_assignments WHERE role_id = 'role_owner' AND user_status IN ('active', 'pending')`,
      );
      expect(owners).toHaveLength(1);
      await platform.delete(`/v1/organizations/acme/users/${one}?permanent=true`);
      await platform.delete(`/v1/organizations/acme/users/${two}?permanent=true`);
      // One user loses the owner role. Later requests for this user return 404. All requests for the remaining owner are rejected.
      const lostRole = ([first, ...others]: number[]) => first! < 300 && others.every((status) => status < 300 || status === 404);
      const keptRole = (each: number[]) => each.every((status) => status === 409);
      const { left: a, right: b } = statuses;
      return (lostRole(a) && keptRole(b)) || (keptRole(a) && lostRole(b)) ? 'one lost it' : statuses;
    });
    expect(Object.keys(outcomes)).toEqual(['"one lost it"']);
  });

  it('creates only one organization with a slug', async () => {
    const outcomes = await rounds((round) =>
      eightTimes(() => platform.post('/v1/organizations', { name: 'Same', slug: `same-${round}` })),
    );
    expect(Object.keys(outcomes)).toEqual([oneWins(201, 409)]);
  });

  it('creates only one user with an email address', async () => {
    const outcomes = await rounds((round) =>
      eightTimes(() => platform.post('/v1/organizations/acme/users', { email: `Same-${round}@example.com` })),
    );
    expect(Object.keys(outcomes)).toEqual([oneWins(201, 409)]);
    const [counted] = await app.database.query<{ users: number; events: number }>(
      `SELECT (SELECT count(*) FROM users WHERE email_key LIKE 'same-%')::int AS users,
         (SELECT count(*) FROM events WHERE type = 'user.created' AND payload LIKE '%Same-%')::int AS events`,
    );
    expect(counted).toEqual({ users: ROUNDS, events: ROUNDS });
  });

  it('locks a setting despite a concurrent override in a child organization', async () => {
    const outcomes = await rounds(async (round) => {
      const top = await newOrganization(app, { settings: { sessionTimeout: 1000 } });
      const child = await newOrganization(app, { parentId: top.id });
      const { left, right } = await fourAgainstFour(
        round,
        () => platform.patch(`/v1/organizations/${top.id}`, { lockedSettings: ['sessionTimeout'] }),
        () => platform.patch(`/v1/organizations/${child.id}`, { settings: { sessionTimeout: 2000 } }),
      );
      const explained = await platform.get(`/v1/organizations/${child.id}/settings`).expect(200);
      expect(explained.body.data.sessionTimeout).toMatchObject({
        value: 1000,
        source: { id: top.id },
        lockedBy: { id: top.id },
      });
      return { left, right: right.filter((status) => ![200, 422].includes(status)) };
    });
    expect(unexpected(outcomes, { left: [200, 200, 200, 200], right: [] })).toEqual([]);
  });

  it('publishes one event for each actual membership change', async () => {
    const user = await newUser('member');
    await newOrganization(app, { slug: 'other', parentId: 'acme' });
    const outcomes = await rounds(async (round) => {
      const { left, right } = await fourAgainstFour(
        round,
        () => platform.post('/v1/organizations/other/members', { userId: user }),
        () => platform.delete(`/v1/organizations/other/members/${user}`),
      );
      return { left, right: right.filter((status) => ![204, 404].includes(status)) };
    });
    expect(unexpected(outcomes, { left: [201, 201, 201, 201], right: [] })).toEqual([]);
    const [events] = await app.database.query<{ added: number; removed: number }>(
      `SELECT count(*) FILTER (WHERE type LIKE '%added')::int AS added, count(*) FILTER (WHERE type LIKE '%removed')::int AS removed
       FROM events WHERE user_id = '${user}' AND type LIKE 'organization.member%'`,
    );
    const organization = await platform.get('/v1/organizations/other').expect(200);
    expect(organization.body.data.memberCount).toBe(events!.added - events!.removed);
  });
});

/** Returns the outcomes except the expected outcomes. */
const unexpected = (outcomes: Record<string, number>, ...expected: object[]): string[] =>
  Object.keys(outcomes).filter((outcome) => !expected.map((each) => JSON.stringify(each)).includes(outcome));
