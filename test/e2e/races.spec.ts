import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import type { TestClient, TestResponse } from '../support/http-client.js';

/** The long run is the full proof; the short one is a share of it for every change. */
const ROUNDS = process.env['LONG'] ? 500 : 25;
const LONG_TEST_MS = 20 * 60_000;

describe('opposite operations at the same time', () => {
  let app: TestApp;
  let platform: TestClient;
  /** An organization's key with all permissions, which unlike a platform key is held to the rule about owners. */
  let key: TestClient;

  beforeAll(async () => {
    app = await startApp();
    ({ platform } = app.api);
    await platform.post('/v1/organizations', { name: 'Acme', slug: 'acme' }).expect(201);
    const made = await platform.post('/v1/organizations/acme/api-keys', { name: 'all', scopes: ['*'] }).expect(201);
    key = app.api.as(made.body.data.key as string);
  });
  afterAll(() => app.close());

  const newUser = async (round: number | string, roles?: string[]): Promise<string> => {
    const made = await platform.post('/v1/organizations/acme/users', { email: `u-${round}@example.com`, roles }).expect(201);
    return made.body.data.id as string;
  };

  /** Starts both at once, each first in every other round, and gives their statuses in the order of the arguments. */
  async function race(
    round: number,
    first: () => Promise<TestResponse>,
    second: () => Promise<TestResponse>,
  ): Promise<[number, number]> {
    if (round % 2 === 0) {
      const [a, b] = await Promise.all([first(), second()]);
      return [a.status, b.status];
    }
    const [b, a] = await Promise.all([second(), first()]);
    return [a.status, b.status];
  }

  async function rounds(play: (round: number) => Promise<[number, number]>): Promise<Record<string, number>> {
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < ROUNDS; round++) {
      const outcome = (await play(round)).join(' ');
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    return outcomes;
  }

  it(
    'assigning a role and deleting it: never a user with a role that is gone',
    async () => {
      const user = await newUser('role');
      const outcomes = await rounds(async (round) => {
        const role = await platform.post('/v1/organizations/acme/roles', { name: `r${round}`, permissions: ['x:y'] }).expect(201);
        const id = role.body.data.id as string;
        return race(
          round,
          () => platform.post(`/v1/organizations/acme/users/${user}/roles`, { roleId: id }),
          () => platform.delete(`/v1/organizations/acme/roles/${id}`),
        );
      });
      expect(Object.keys(outcomes).filter((outcome) => !['201 409', '404 204'].includes(outcome))).toEqual([]);
      const orphans = await app.database.query(
        `SELECT FROM role_assignments a WHERE role_id LIKE 'role\\_0%' AND NOT EXISTS (SELECT FROM roles r WHERE r.id = a.role_id)`,
      );
      expect(orphans).toEqual([]);
    },
    LONG_TEST_MS,
  );

  it(
    'deleting an organization and adding one below it: never a live organization below a deleted one',
    async () => {
      const outcomes = await rounds(async (round) => {
        const parent = await platform.post('/v1/organizations', { name: `P${round}`, parentId: 'acme' }).expect(201);
        const id = parent.body.data.id as string;
        return race(
          round,
          () => platform.delete(`/v1/organizations/${id}`),
          () => platform.post('/v1/organizations', { name: `C${round}`, parentId: id }),
        );
      });
      expect(Object.keys(outcomes).filter((outcome) => !['204 404', '409 201'].includes(outcome))).toEqual([]);
      const orphans = await app.database.query(
        `SELECT FROM organizations c JOIN organizations p ON p.id = c.parent_id WHERE c.deleted_at IS NULL AND p.deleted_at IS NOT NULL`,
      );
      expect(orphans).toEqual([]);
    },
    LONG_TEST_MS,
  );

  it(
    'deleting a tree and adding to its depth: never a live organization below a deleted one',
    async () => {
      const outcomes = await rounds(async (round) => {
        const top = await platform.post('/v1/organizations', { name: `T${round}`, parentId: 'acme' }).expect(201);
        const middle = await platform.post('/v1/organizations', { name: `M${round}`, parentId: top.body.data.id }).expect(201);
        return race(
          round,
          () => platform.delete(`/v1/organizations/${top.body.data.id}?cascade=true`),
          () => platform.post('/v1/organizations', { name: `D${round}`, parentId: middle.body.data.id }),
        );
      });
      expect(Object.keys(outcomes).filter((outcome) => !['204 404', '204 201'].includes(outcome))).toEqual([]);
      const orphans = await app.database.query(
        `SELECT FROM organizations c JOIN organizations p ON p.id = c.parent_id WHERE c.deleted_at IS NULL AND p.deleted_at IS NOT NULL`,
      );
      expect(orphans).toEqual([]);
    },
    LONG_TEST_MS,
  );

  it(
    'taking the last two owners away: one stays',
    async () => {
      const ways = [
        (id: string) => key.delete(`/v1/organizations/acme/members/${id}`),
        (id: string) => key.delete(`/v1/organizations/acme/users/${id}/roles/owner`),
        (id: string) => key.post('/v1/organizations/acme/members', { userId: id, role: 'viewer' }),
        (id: string) => key.post(`/v1/organizations/acme/users/${id}/suspend`, {}),
        (id: string) => key.delete(`/v1/organizations/acme/users/${id}`),
      ];
      const outcomes = await rounds(async (round) => {
        const [one, two] = [await newUser(`o1-${round}`, ['owner']), await newUser(`o2-${round}`, ['owner'])];
        const [left, right] = [ways[round % 5]!, ways[Math.floor(round / 5) % 5]!];
        const statuses = await race(
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
        return statuses.map((status) => (status < 300 ? 200 : status)) as [number, number];
      });
      expect(Object.keys(outcomes).filter((outcome) => !['200 409', '409 200'].includes(outcome))).toEqual([]);
    },
    LONG_TEST_MS,
  );

  it(
    'the same slug twice: one gets it',
    async () => {
      const outcomes = await rounds((round) => {
        const create = () => platform.post('/v1/organizations', { name: 'Same', slug: `same-${round}` });
        return race(round, create, create);
      });
      expect(Object.keys(outcomes).filter((outcome) => !['201 409', '409 201'].includes(outcome))).toEqual([]);
    },
    LONG_TEST_MS,
  );

  it(
    'the same e-mail address twice: one gets it, with one event',
    async () => {
      const outcomes = await rounds((round) => {
        const create = () => platform.post('/v1/organizations/acme/users', { email: `Same-${round}@example.com` });
        return race(round, create, create);
      });
      expect(Object.keys(outcomes).filter((outcome) => !['201 409', '409 201'].includes(outcome))).toEqual([]);
      const [counted] = await app.database.query<{ users: number; events: number }>(
        `SELECT (SELECT count(*) FROM users WHERE email_key LIKE 'same-%')::int AS users,
           (SELECT count(*) FROM events WHERE type = 'user.created' AND payload LIKE '%Same-%')::int AS events`,
      );
      expect(counted).toEqual({ users: ROUNDS, events: ROUNDS });
    },
    LONG_TEST_MS,
  );

  it(
    'locking a setting while one below overrides it: the lock holds',
    async () => {
      const outcomes = await rounds(async (round) => {
        const top = await platform
          .post('/v1/organizations', { name: `L${round}`, settings: { sessionTimeout: 1000 } })
          .expect(201);
        const child = await platform.post('/v1/organizations', { name: `K${round}`, parentId: top.body.data.id }).expect(201);
        const statuses = await race(
          round,
          () => platform.patch(`/v1/organizations/${top.body.data.id}`, { lockedSettings: ['sessionTimeout'] }),
          () => platform.patch(`/v1/organizations/${child.body.data.id}`, { settings: { sessionTimeout: 2000 } }),
        );
        const explained = await platform.get(`/v1/organizations/${child.body.data.id}/settings`).expect(200);
        expect(explained.body.data.sessionTimeout).toMatchObject({
          value: 1000,
          source: { id: top.body.data.id },
          lockedBy: { id: top.body.data.id },
        });
        return statuses;
      });
      expect(Object.keys(outcomes).filter((outcome) => !['200 200', '200 422'].includes(outcome))).toEqual([]);
    },
    LONG_TEST_MS,
  );

  it(
    'adding and removing a member: one event for each real change, and counts that agree',
    async () => {
      const user = await newUser('member');
      await platform.post('/v1/organizations', { name: 'Other', slug: 'other', parentId: 'acme' }).expect(201);
      const outcomes = await rounds((round) =>
        race(
          round,
          () => platform.post('/v1/organizations/other/members', { userId: user }),
          () => platform.delete(`/v1/organizations/other/members/${user}`),
        ),
      );
      expect(Object.keys(outcomes).filter((outcome) => !['201 204', '201 404'].includes(outcome))).toEqual([]);
      const [events] = await app.database.query<{ added: number; removed: number }>(
        `SELECT count(*) FILTER (WHERE type LIKE '%added')::int AS added, count(*) FILTER (WHERE type LIKE '%removed')::int AS removed
         FROM events WHERE user_id = '${user}' AND type LIKE 'organization.member%'`,
      );
      const organization = await platform.get('/v1/organizations/other').expect(200);
      expect(organization.body.data.memberCount).toBe(events!.added - events!.removed);
    },
    LONG_TEST_MS,
  );
});
