import { describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import * as fc from 'fast-check';
import type { TestBody, TestClient } from '../support/http-client.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

/** The number of trees in `npm test`, `npm run test:all` and long runs. */
const TREES = sized(5, 40, 1_000);
const PERMISSIONS = ['cars:drive', 'cars:sell', 'bills:pay', 'users:read'] as const;
const POLICY_NUMBERS = ['minLength', 'requireUppercase', 'requireNumbers', 'requireSymbols', 'preventReuse'];

const pick = fc.nat({ max: 1_000 });
const overrides = fc.record(
  {
    requireMfa: fc.boolean(),
    sessionTimeout: fc.constantFrom(600, 1_200),
    passwordPolicy: fc.record({ minLength: fc.constantFrom(10, 20), requireNumbers: fc.boolean() }, { requiredKeys: [] }),
    allowedDomains: fc.subarray(['a.example', 'b.example'], { minLength: 1 }),
    defaultLocale: fc.constantFrom('de', 'fr'),
    mfaMethods: fc.subarray(['totp', 'sms', 'passkey'], { minLength: 1 }),
    ssoRequired: fc.boolean(),
  },
  { requiredKeys: [] },
);
const locked = fc.subarray(['requireMfa', 'sessionTimeout', 'passwordPolicy', 'allowedDomains', 'ssoRequired'], { maxLength: 2 });
const tree = fc.record({
  /** The parent of each organization except the root, as a number of an earlier organization. */
  parents: fc.array(pick, { minLength: 3, maxLength: 8 }),
  settings: fc.array(fc.record({ overrides, locked }), { minLength: 9, maxLength: 9 }),
  roles: fc.array(fc.subarray([...PERMISSIONS], { minLength: 1 }), { minLength: 3, maxLength: 3 }),
  assignments: fc.array(fc.record({ user: fc.nat({ max: 3 }), role: fc.nat({ max: 2 }), at: pick }), { maxLength: 10 }),
  keys: fc.array(pick, { maxLength: 2 }),
  webhooks: fc.array(fc.record({ at: pick, includeDescendants: fc.boolean() }), { maxLength: 2 }),
  deleted: fc.option(pick, { nil: undefined }),
  moves: fc.array(fc.record({ organization: pick, parent: pick }), { minLength: 2, maxLength: 4 }),
});
type Drawn = typeof tree extends fc.Arbitrary<infer T> ? T : never;

/** What the API returns about the tree, without any code of the move. */
interface Observed {
  ancestors: Map<string, string[]>;
  names: Map<string, string>;
  /** The effective settings by organization and path. */
  settings: Map<string, Record<string, { value: unknown; source: unknown; lockedBy?: unknown }>>;
  /** `user permission` for each permission that a user has in an organization, by organization. */
  allowed: Map<string, Set<string>>;
  /** The IDs of the API keys that can read an organization, by organization. */
  readers: Map<string, Set<string>>;
}

interface User {
  id: string;
  organization: string;
  domain: string;
  mfa: boolean;
  password: boolean;
}

describe('a random tree', () => {
  const app = testApp({ role: 'api' });

  class RandomTree {
    root = '';
    organizations: string[] = [];
    users: User[] = [];
    keys: { id: string; client: TestClient }[] = [];
    webhooks: { id: string; at: string; includeDescendants: boolean }[] = [];
    deleted?: string;
    moved = 0;

    async create(drawn: Drawn): Promise<void> {
      this.root = (await newOrganization(app)).id;
      await insertTrustedProvider(app, this.root);
      const chains = [[this.root]];
      for (const parent of drawn.parents) chains.push([...chains[parent % chains.length]!, newId('organization')]);
      this.organizations = chains.map((chain) => chain.at(-1)!);
      await app.database.query(
        `WITH given AS (SELECT * FROM jsonb_to_recordset($2::jsonb) AS r (id text, parent text, ancestors jsonb)), made AS (
           INSERT INTO organizations (tenant_id, id, parent_id, ancestor_ids, name, slug, created_at, updated_at)
           SELECT $1, id, parent, ARRAY(SELECT jsonb_array_elements_text(ancestors)), 'n' || right(id, 6), replace(id, '_', '-'), now(), now()
           FROM given)
         INSERT INTO organization_handles (handle, tenant_id, organization_id) SELECT id, $1, id FROM given`,
        [
          this.root,
          JSON.stringify(
            chains.slice(1).map((chain) => ({ id: chain.at(-1), parent: chain.at(-2), ancestors: chain.slice(0, -1) })),
          ),
        ],
      );
      for (const [index, id] of this.organizations.entries()) {
        const { overrides, locked } = drawn.settings[index % drawn.settings.length]!;
        await app.database.query('UPDATE organizations SET settings_overrides = $2, locked_settings = $3 WHERE id = $1', [
          id,
          JSON.stringify(overrides),
          locked,
        ]);
      }
      await this.createUsers(drawn);
      for (const number of drawn.keys) {
        const path = at(this.organization(number), '/api-keys');
        const { id, key } = await made(app, path, { name: 'k', scopes: ['organizations:read'] });
        this.keys.push({ id, client: app.api.as(key) });
      }
      for (const { at: number, includeDescendants } of drawn.webhooks) {
        const owner = this.organization(number);
        const body = { url: 'http://127.0.0.1:9/', events: ['*'], includeDescendants };
        this.webhooks.push({ id: (await made(app, at(owner, '/webhooks'), body)).id, at: owner, includeDescendants });
      }
      await this.deleteLeaf(drawn.deleted);
    }

    private organization(number: number): string {
      return this.organizations[number % this.organizations.length]!;
    }

    /** Inserts users, roles of the root organization and role assignments with SQL, which is fast. */
    private async createUsers({ roles, assignments }: Drawn): Promise<void> {
      this.users = [...'abcd'].map((letter, index) => ({
        id: newId('user'),
        organization: this.organization(index * 3 + 1),
        domain: `${letter}.example`,
        mfa: index % 2 === 0,
        password: index > 0,
      }));
      for (const { id, organization, domain, mfa, password } of this.users)
        await app.database.query(
          `INSERT INTO users (tenant_id, id, organization_id, email, email_key, mfa_enabled, last_password_change_at, status, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $4, $5, $6, 'active', now(), now())`,
          [this.root, id, organization, `${id}@${domain}`, mfa, password ? new Date() : null],
        );
      const roleIds = roles.map(() => newId('role'));
      for (const [index, id] of roleIds.entries())
        await app.database.query(
          `INSERT INTO roles (tenant_id, id, organization_id, name, permissions, created_at, updated_at) VALUES ($1, $2, $1, $2, $3, now(), now())`,
          [this.root, id, roles[index]],
        );
      for (const { user, role, at } of assignments)
        await app.database.query(
          `INSERT INTO role_assignments (tenant_id, organization_id, user_id, role_id, explicit, user_status, assigned_at)
           VALUES ($1, $2, $3, $4, true, 'active', now()) ON CONFLICT DO NOTHING`,
          [this.root, this.organization(at), this.users[user]!.id, roleIds[role]],
        );
    }

    /** Deletes an organization without children, which still moves with its ancestors. */
    private async deleteLeaf(number: number | undefined): Promise<void> {
      if (number === undefined) return;
      const id = this.organization(number);
      if (id === this.root || (await app.api.platform.delete(at(id))).status !== 204) return;
      this.organizations = this.organizations.filter((each) => each !== id);
      this.deleted = id;
    }

    async observe(): Promise<Observed> {
      const rows = await app.database.query<{ id: string; name: string; ancestors: string[]; parent: string | null }>(
        'SELECT id, name, ancestor_ids AS ancestors, parent_id AS parent FROM organizations WHERE tenant_id = $1',
        [this.root],
      );
      const ancestors = new Map(rows.map((each) => [each.id, each.ancestors]));
      // The stored ancestors are the parents of the parents, also of the deleted organization.
      for (const { id, parent } of rows)
        if (parent !== null) expect([id, ancestors.get(id)]).toEqual([id, [...ancestors.get(parent)!, parent]]);
      const settings = new Map<string, Observed['settings'] extends Map<string, infer S> ? S : never>();
      const allowed = new Map<string, Set<string>>();
      const readers = new Map<string, Set<string>>();
      const checks = this.users.flatMap(({ id: userId }) => PERMISSIONS.map((permission) => ({ userId, permission })));
      for (const id of this.organizations) {
        const path = at(id);
        const [explained, answers, ...read] = await Promise.all([
          app.api.platform.get(`${path}/settings`).expect(200),
          app.api.platform.post(`${path}/permissions/check/batch`, { checks }).expect(200),
          ...this.keys.map(({ client }) => client.get(path).whenServed()),
        ]);
        const { passwordPolicy, ...plain } = explained.body.data;
        const parts = Object.entries(passwordPolicy).map(([part, value]) => [`passwordPolicy.${part}`, value]);
        settings.set(id, { ...plain, ...Object.fromEntries(parts) });
        const held = checks.filter((_, index) => answers.body.data[index].allowed);
        allowed.set(id, new Set(held.map(({ userId, permission }) => `${userId} ${permission}`)));
        readers.set(id, new Set(this.keys.filter((_, index) => read[index]!.status === 200).map((key) => key.id)));
      }
      return { ancestors, names: new Map(rows.map(({ id, name }) => [id, name])), settings, allowed, readers };
    }

    async move(organizationNumber: number, parentNumber: number, before: Observed): Promise<Observed> {
      const [id, parentId] = [this.organization(organizationNumber), this.organization(parentNumber)];
      const path = at(id, '/move');
      const preview = await app.api.platform.post(`${path}/preview`, { parentId }).whenServed();
      expect(await this.observe()).toEqual(before);
      const response = await app.api.platform.post(path, { parentId }).whenServed();
      const after = await this.observe();
      const isCycle = [...before.ancestors.get(parentId)!, parentId].includes(id);
      const status = id === this.root ? 422 : isCycle ? 409 : 200;
      expect([preview.status, response.status]).toEqual([status, status]);
      if (status !== 200) {
        expect(after).toEqual(before);
        return after;
      }
      this.moved++;
      expect(response.body).toEqual(preview.body);
      expect(response.body.data).toEqual(this.expected(id, parentId, before, after));
      for (const each of this.organizations)
        if (each !== id && !before.ancestors.get(each)!.includes(id))
          expect([after.settings.get(each), after.allowed.get(each)]).toEqual([
            before.settings.get(each),
            before.allowed.get(each),
          ]);
      return after;
    }

    /** Returns the plan of the move according to the observations before and after the move. */
    private expected(id: string, parentId: string, before: Observed, after: Observed): TestBody {
      const named = (organization: string) => ({ id: organization, name: after.names.get(organization) });
      const subtree = this.organizations.filter((each) => each === id || after.ancestors.get(each)!.includes(id));
      const isDeletedBelow = this.deleted && after.ancestors.get(this.deleted)!.includes(id);
      const withDeleted = [...subtree, ...(isDeletedBelow ? [this.deleted!] : [])];
      const levels = ({ ancestors }: Observed) => Math.max(...withDeleted.map((each) => ancestors.get(each)!.length + 1));
      const chains = [before, after].map(({ ancestors }) => ancestors.get(id)!) as [string[], string[]];
      const isIn = (a: number, organization: string) =>
        chains[a]!.includes(organization) && !chains[1 - a]!.includes(organization);
      const webhooksOf = (a: number) =>
        this.webhooks
          .filter((webhook) => webhook.includeDescendants && isIn(a, webhook.at))
          .map((webhook) => {
            const { id: organizationId, name: organizationName } = named(webhook.at);
            return { id: webhook.id, name: expect.any(String), organizationId, organizationName };
          })
          .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const permissionsOf = (a: number) => {
        const [has, had] = a === 1 ? [after, before] : [before, after];
        const changes = this.users
          .map((user) => ({
            type: 'user',
            id: user.id,
            name: `${user.id}@${user.domain}`,
            permissions: PERMISSIONS.filter(
              (permission) =>
                has.allowed.get(id)!.has(`${user.id} ${permission}`) && !had.allowed.get(id)!.has(`${user.id} ${permission}`),
            ).toSorted(),
          }))
          .filter(({ permissions }) => permissions.length > 0);
        const keys = this.keys
          .filter((key) => has.readers.get(id)!.has(key.id) && !had.readers.get(id)!.has(key.id))
          .map((key) => ({ type: 'api_key', id: key.id, name: 'k', permissions: ['organizations:read'] }));
        const because = expect.arrayContaining([expect.objectContaining({ organizationId: expect.any(String) })]);
        return [...changes, ...keys].toSorted((x, y) => (x.id < y.id ? -1 : 1)).map((change) => ({ ...change, because }));
      };
      const lockedBy = ({ settings }: Observed, setting: string) => {
        const explained = settings.get(id)!;
        return (explained[setting] ?? explained[`${setting}.minLength`])!.lockedBy ?? null;
      };
      const lockable = Object.keys(after.settings.get(id)!).filter((path) => !path.includes('.') || path.endsWith('minLength'));
      const locks = lockable
        .map((path) => path.split('.')[0]!)
        .map((setting) => ({ setting, from: lockedBy(before, setting), to: lockedBy(after, setting) }))
        .filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
      return {
        ...named(id),
        parent: { from: named(chains[0].at(-1)!), to: named(parentId) },
        organizationCount: subtree.length,
        userCount: this.users.filter(({ organization }) => subtree.includes(organization)).length,
        depth: { from: levels(before), to: levels(after), limit: 32 },
        settings: inAnyOrder(
          subtree.flatMap((each) =>
            settingsOf(
              named(each),
              before.settings.get(each)!,
              after.settings.get(each)!,
              this.users.filter(({ organization }) => organization === each),
            ),
          ),
        ),
        locks: inAnyOrder(locks),
        permissions: { gained: permissionsOf(1), lost: permissionsOf(0) },
        webhooks: { gained: webhooksOf(1), lost: webhooksOf(0) },
      };
    }
  }

  let moved = 0;
  it(
    `moves exactly as previewed (${TREES} trees)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(tree, async (drawn) => {
          const random = new RandomTree();
          await random.create(drawn);
          let observed = await random.observe();
          for (const { organization, parent } of drawn.moves) observed = await random.move(organization, parent, observed);
          moved += random.moved;
        }),
        { numRuns: TREES, endOnFailure: true },
      );
      process.stdout.write(`${moved} moves in ${TREES} trees\n`);
      // The test proves nothing if all moves are rejected.
      expect(moved).toBeGreaterThan(TREES / 2);
    },
    60 * 60_000,
  );
});

type Explained = Record<string, { value: unknown; source: unknown }>;

/** Matches a list with exactly these elements in any order. */
const inAnyOrder = (items: readonly object[]): unknown => {
  const matcher = expect.arrayContaining([...items]);
  return Object.assign(matcher, {
    asymmetricMatch: (actual: unknown) =>
      Array.isArray(actual) &&
      actual.length === items.length &&
      Object.getPrototypeOf(matcher).asymmetricMatch.call(matcher, actual),
  });
};

/** Returns the expected settings of one organization in the plan, or an empty list if nothing changes. */
function settingsOf(organization: object, before: Explained, after: Explained, users: readonly User[]): object[] {
  const differing = Object.keys(after).filter(
    (path) => JSON.stringify(before[path]!.value) !== JSON.stringify(after[path]!.value),
  );
  if (differing.length === 0) return [];
  const sourced = ({ value, source }: Explained[string]) => ({ value, source });
  const domains = differing.includes('allowedDomains') ? (after['allowedDomains']!.value as string[]) : [];
  const isStricter = POLICY_NUMBERS.map((part) => `passwordPolicy.${part}`).some(
    (path) => Number(after[path]!.value) > Number(before[path]!.value),
  );
  const mfaBegins = differing.includes('requireMfa') && after['requireMfa']!.value === true;
  return [
    {
      ...organization,
      changes: Object.fromEntries(differing.map((path) => [path, { from: sourced(before[path]!), to: sourced(after[path]!) }])),
      userCount: users.length,
      usersOutOfLine: {
        withoutMfa: mfaBegins ? users.filter(({ mfa }) => !mfa).length : 0,
        domainNotAllowed: domains.length > 0 ? users.filter(({ domain }) => !domains.includes(domain)).length : 0,
        passwordOlderThanPolicy: isStricter ? users.filter(({ password }) => password).length : 0,
        withoutIdentity: differing.includes('ssoRequired') && after['ssoRequired']!.value === true ? users.length : 0,
      },
    },
  ];
}
