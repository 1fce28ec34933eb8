import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { newId } from '#platform/common';
import { resolveSettings } from '#directory/organizations';
import * as fc from 'fast-check';
import {
  patchOverrides,
  POLICY_FIELDS,
  SETTING_FIELDS,
  type SettingField,
  type SettingsOverrides,
  type SettingsPatch,
} from '../../libs/directory/organizations/src/settings/settings.js';
import type { TestBody, TestClient } from '../support/http-client.js';
import { insertTrustedProvider } from '../support/oidc.js';
import { at, made, newOrganization } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { SEED, sized } from '../support/test-size.js';

/** The number of trees in `npm test`, `npm run test:all` and long runs. */
const TREES = sized(5, 40, 1_000);
const PERMISSIONS = ['cars:drive', 'cars:sell', 'bills:pay', 'users:read'] as const;
const FLAG = [false, true];
/** The drawn values are few, so that a patch often contains a value that applies already. */
const VALUES: Record<Exclude<SettingField, 'passwordPolicy'>, unknown[]> = {
  allowPublicSignup: FLAG,
  requireMfa: FLAG,
  mfaMethods: [['totp'], ['sms', 'email', 'passkey']],
  ssoRequired: FLAG,
  sessionTimeout: [60, 90_000],
  sessionLifetime: [300, 2_592_000],
  allowedDomains: [[], ['a.example'], ['b.example', 'c.example']],
  defaultRole: ['role_viewer', 'role_member'],
  maxApiKeyLifetime: [0, 90_000],
  disableFlaggedApiKeys: FLAG,
  disableFlaggedWebhooks: FLAG,
  // The API keys of the tree send their requests from these networks.
  allowedNetworks: [[], ['127.0.0.0/8', '::1/128']],
  impersonationApproval: ['none', 'second_person', 'user'],
  defaultLocale: ['en', 'pt-BR'],
  applicationApproval: ['anyone', 'approved', 'owners'],
  clientIdMetadataDomains: [[], ['client.example.com']],
  dynamicClientRegistration: FLAG,
};
const POLICY_VALUES = {
  minLength: [8, 20],
  requireUppercase: FLAG,
  requireNumbers: FLAG,
  requireSymbols: FLAG,
  preventReuse: [0, 24],
};

const pick = fc.nat({ max: 1_000 });
const drawn = (values: object): Record<string, fc.Arbitrary<unknown>> =>
  Object.fromEntries(Object.entries(values).map(([name, each]) => [name, fc.constantFrom(null, ...each)]));
const policy = fc.option(fc.record(drawn(POLICY_VALUES), { requiredKeys: [] }), { nil: null, freq: 4 });
const settings = fc.record({ ...drawn(VALUES), passwordPolicy: policy }, { requiredKeys: [] }) as fc.Arbitrary<SettingsPatch>;
const locked = fc.subarray([...SETTING_FIELDS], { maxLength: 3 });
const tree = fc.record({
  /** Each organization except the first, the root, has one of the earlier organizations as the parent. */
  organizations: fc.array(fc.record({ parent: pick, settings, locked }), { minLength: 4, maxLength: 9 }),
  roles: fc.array(fc.subarray([...PERMISSIONS], { minLength: 1 }), { minLength: 3, maxLength: 3 }),
  assignments: fc.array(fc.record({ user: fc.nat({ max: 3 }), role: fc.nat({ max: 2 }), at: pick }), { maxLength: 10 }),
  keys: fc.array(pick, { maxLength: 2 }),
  webhooks: fc.array(fc.record({ at: pick, includeDescendants: fc.boolean() }), { maxLength: 2 }),
  deleted: fc.option(pick, { nil: undefined }),
  /** Each step changes settings, then moves an organization. */
  steps: fc.array(
    fc.record({ changed: pick, settings, locked: fc.option(locked, { nil: undefined }), moved: pick, parent: pick }),
    { minLength: 2, maxLength: 3 },
  ),
});
type Drawn = typeof tree extends fc.Arbitrary<infer T> ? T : never;

interface Node {
  readonly id: string;
  readonly name: string;
  parent?: Node;
  overrides: SettingsOverrides;
  locked: readonly SettingField[];
}

type Explained = Record<string, { value: unknown; source: unknown; lockedBy?: unknown }>;

/** What the API returns about the tree, without any code of the changes. */
interface Observed {
  ancestors: Map<string, string[]>;
  /** The effective settings by organization and path. */
  settings: Map<string, Explained>;
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

const chainOf = (node: Node): Node[] => (node.parent ? [...chainOf(node.parent), node] : [node]);

/** Returns the settings by path, according to `settings.ts`, which has unit tests. */
function model(node: Node): Explained {
  const { values, sources, lockedBy } = resolveSettings(chainOf(node));
  const explained = Object.entries(sources).map(([path, source]) => {
    const [field, part] = path.split('.') as [SettingField, string?];
    const value = part === undefined ? values[field] : (values[field] as unknown as Record<string, unknown>)[part];
    return [path, { value, source, ...(lockedBy[field] ? { lockedBy: lockedBy[field] } : {}) }];
  });
  return Object.fromEntries(explained);
}

/** Returns the patch without locked settings that have the value already, or undefined if it changes a locked setting. */
function allowedPatch(node: Node, patch: SettingsPatch): SettingsPatch | undefined {
  const current = model(node);
  const entries = Object.entries(patch);
  const fixed = entries.filter(([field, value]) => value !== null && (current[field] ?? current[`${field}.minLength`])!.lockedBy);
  const isCurrent = ([field, value]: [string, unknown]): boolean =>
    field === 'passwordPolicy'
      ? Object.entries(value as object).every(([part, each]) => current[`${field}.${part}`]!.value === each)
      : isDeepStrictEqual(current[field]!.value, value);
  return fixed.every(isCurrent) ? Object.fromEntries(entries.filter((entry) => !fixed.includes(entry))) : undefined;
}

describe('a random tree', () => {
  const app = testApp({ role: 'api' });

  class RandomTree {
    organizations: Node[] = [];
    users: User[] = [];
    keys: { id: string; client: TestClient }[] = [];
    webhooks: { id: string; at: string; includeDescendants: boolean }[] = [];
    deleted?: string;
    moved = 0;

    async create(drawn: Drawn): Promise<void> {
      for (const each of drawn.organizations) await this.createOrganization(each);
      await this.createUsers(drawn);
      for (const number of drawn.keys) {
        const path = at(this.organization(number).id, '/api-keys');
        const { id, key } = await made(app, path, { name: 'k', scopes: ['organizations:read'] });
        this.keys.push({ id, client: app.api.as(key) });
      }
      for (const { at: number, includeDescendants } of drawn.webhooks) {
        const owner = this.organization(number).id;
        const body = { url: 'http://127.0.0.1:9/', events: ['*'], includeDescendants };
        this.webhooks.push({ id: (await made(app, at(owner, '/webhooks'), body)).id, at: owner, includeDescendants });
      }
      await this.deleteLeaf(drawn.deleted);
    }

    private get root(): string {
      return this.organizations[0]!.id;
    }

    private organization(number: number): Node {
      return this.organizations[number % this.organizations.length]!;
    }

    private async createOrganization({ parent, settings: patch, locked }: Drawn['organizations'][number]): Promise<void> {
      if (this.organizations.length === 0) {
        // `ssoRequired` needs an identity provider.
        const { id, name } = await newOrganization(app);
        await insertTrustedProvider(app, id);
        this.organizations.push({ id, name, overrides: patchOverrides({}, patch), locked });
        await app.api.platform.patch(at(id), { settings: patch, lockedSettings: locked }).expect(200);
        return;
      }
      const draft: Node = {
        id: '',
        name: `n${this.organizations.length}`,
        parent: this.organization(parent),
        overrides: {},
        locked,
      };
      const allowed = allowedPatch(draft, patch);
      const body = { name: draft.name, parentId: draft.parent!.id, settings: patch, lockedSettings: locked };
      const { status, body: created } = await app.api.platform.post('/v1/organizations', body);
      expect(status).toBe(allowed ? 201 : 422);
      const { id, name } = allowed
        ? created.data
        : await newOrganization(app, { parentId: body.parentId, lockedSettings: locked });
      this.organizations.push({ ...draft, id, name, overrides: patchOverrides({}, allowed ?? {}) });
    }

    /** Inserts users, roles of the root organization and role assignments with SQL, which is fast and has no rules. */
    private async createUsers({ roles, assignments }: Drawn): Promise<void> {
      this.users = [...'abcd'].map((letter, index) => ({
        id: newId('user'),
        organization: this.organization(index * 3 + 1).id,
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
          [this.root, this.organization(at).id, this.users[user]!.id, roleIds[role]],
        );
    }

    /** Deletes an organization without children, which still moves with its ancestors. */
    private async deleteLeaf(number: number | undefined): Promise<void> {
      if (number === undefined) return;
      const leaf = this.organization(number);
      if (!leaf.parent || (await app.api.platform.delete(at(leaf.id))).status !== 204) return;
      this.organizations = this.organizations.filter((each) => each !== leaf);
      this.deleted = leaf.id;
    }

    async observe(): Promise<Observed> {
      const rows = await app.database.query<{ id: string; ancestors: string[]; parent: string | null }>(
        'SELECT id, ancestor_ids AS ancestors, parent_id AS parent FROM organizations WHERE tenant_id = $1',
        [this.root],
      );
      const ancestors = new Map(rows.map((each) => [each.id, each.ancestors]));
      // The stored ancestors are the parents of the parents, also of the deleted organization.
      for (const { id, parent } of rows)
        if (parent !== null) expect([id, ancestors.get(id)]).toEqual([id, [...ancestors.get(parent)!, parent]]);
      const settings = new Map<string, Explained>();
      const allowed = new Map<string, Set<string>>();
      const readers = new Map<string, Set<string>>();
      const checks = this.users.flatMap(({ id: userId }) => PERMISSIONS.map((permission) => ({ userId, permission })));
      for (const node of this.organizations) {
        const path = at(node.id);
        const [explained, answers, ...read] = await Promise.all([
          app.api.platform.get(`${path}/settings`).expect(200),
          app.api.platform.post(`${path}/permissions/check/batch`, { checks }).expect(200),
          ...this.keys.map(({ client }) => client.get(path).whenServed()),
        ]);
        const { passwordPolicy, ...plain } = explained.body.data;
        const parts = Object.entries(passwordPolicy).map(([part, value]) => [`passwordPolicy.${part}`, value]);
        settings.set(node.id, { ...plain, ...Object.fromEntries(parts) });
        expect(settings.get(node.id)).toEqual(model(node));
        const held = checks.filter((_, index) => answers.body.data[index].allowed);
        allowed.set(node.id, new Set(held.map(({ userId, permission }) => `${userId} ${permission}`)));
        readers.set(node.id, new Set(this.keys.filter((_, index) => read[index]!.status === 200).map((key) => key.id)));
      }
      return { ancestors, settings, allowed, readers };
    }

    async step({ changed, settings, locked, moved, parent }: Drawn['steps'][number], before: Observed): Promise<Observed> {
      const after = await this.change(this.organization(changed), settings, locked, before);
      const [, ...movable] = this.organizations;
      return this.move(movable[moved % movable.length]!, this.organization(parent), after);
    }

    private async change(
      node: Node,
      patch: SettingsPatch,
      locked: SettingField[] | undefined,
      before: Observed,
    ): Promise<Observed> {
      const body = { settings: patch, ...(locked ? { lockedSettings: locked } : {}) };
      const allowed = allowedPatch(node, patch);
      const preview = await app.api.platform.post(at(node.id, '/settings/preview'), body).whenServed();
      const response = await app.api.platform.patch(at(node.id), body).whenServed();
      expect([preview.status, response.status]).toEqual(allowed ? [200, 200] : [422, 422]);
      node.overrides = patchOverrides(node.overrides, allowed ?? {});
      if (allowed) node.locked = locked ?? node.locked;
      const after = await this.observe();
      expect({ ...after, settings: before.settings }).toEqual(before);
      const changes = this.subtree(node).flatMap((each) => this.settingsOf(each, before, after, ({ value }) => value));
      if (allowed) expect(preview.body.data.organizations).toEqual(inAnyOrder(changes));
      return after;
    }

    private async move(node: Node, parent: Node, before: Observed): Promise<Observed> {
      const path = at(node.id, '/move');
      const preview = await app.api.platform.post(`${path}/preview`, { parentId: parent.id }).whenServed();
      expect(await this.observe()).toEqual(before);
      const response = await app.api.platform.post(path, { parentId: parent.id }).whenServed();
      const status = chainOf(parent).includes(node) ? 409 : 200;
      expect([preview.status, response.status]).toEqual([status, status]);
      if (status !== 200) {
        expect(await this.observe()).toEqual(before);
        return before;
      }
      node.parent = parent;
      const after = await this.observe();
      this.moved++;
      expect(response.body).toEqual(preview.body);
      expect(response.body.data).toEqual(this.plan(node, before, after));
      for (const { id } of this.organizations.filter((each) => !this.subtree(node).includes(each)))
        expect([after.settings.get(id), after.allowed.get(id)]).toEqual([before.settings.get(id), before.allowed.get(id)]);
      return after;
    }

    private subtree(node: Node): Node[] {
      return this.organizations.filter((each) => chainOf(each).includes(node));
    }

    private named(id: string) {
      return { id, name: this.organizations.find((each) => each.id === id)!.name };
    }

    /** Returns the plan of the move according to the observations before and after the move. */
    private plan(node: Node, before: Observed, after: Observed): TestBody {
      const { id } = node;
      const subtree = this.subtree(node);
      const isDeletedBelow = this.deleted && after.ancestors.get(this.deleted)!.includes(id);
      const withDeleted = [...subtree.map((each) => each.id), ...(isDeletedBelow ? [this.deleted!] : [])];
      const levels = ({ ancestors }: Observed) => Math.max(...withDeleted.map((each) => ancestors.get(each)!.length + 1));
      const parentIn = ({ ancestors }: Observed) => this.named(ancestors.get(id)!.at(-1)!);
      const lockedBy = ({ settings }: Observed, field: string) => {
        const explained = settings.get(id)!;
        return (explained[field] ?? explained[`${field}.minLength`])!.lockedBy ?? null;
      };
      const locks = SETTING_FIELDS.map((setting) => ({
        setting,
        from: lockedBy(before, setting),
        to: lockedBy(after, setting),
      })).filter(({ from, to }) => !isDeepStrictEqual(from, to));
      return {
        ...this.named(id),
        parent: { from: parentIn(before), to: parentIn(after) },
        organizationCount: subtree.length,
        userCount: subtree.flatMap((each) => this.usersOf(each)).length,
        depth: { from: levels(before), to: levels(after), limit: 32 },
        settings: inAnyOrder(
          subtree.flatMap((each) => this.settingsOf(each, before, after, ({ value, source }) => ({ value, source }))),
        ),
        locks: inAnyOrder(locks),
        permissions: { gained: this.gained(id, before, after), lost: this.gained(id, after, before) },
        webhooks: { gained: this.newWebhooks(id, before, after), lost: this.newWebhooks(id, after, before) },
      };
    }

    private newWebhooks(id: string, { ancestors: before }: Observed, { ancestors: after }: Observed): object[] {
      return this.webhooks
        .filter(
          ({ at, includeDescendants }) => includeDescendants && after.get(id)!.includes(at) && !before.get(id)!.includes(at),
        )
        .map((webhook) => {
          const { id: organizationId, name: organizationName } = this.named(webhook.at);
          return { id: webhook.id, name: expect.any(String), organizationId, organizationName };
        })
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
    }

    private gained(id: string, before: Observed, after: Observed): object[] {
      const isNew = (key: 'allowed' | 'readers', entry: string): boolean =>
        after[key].get(id)!.has(entry) && !before[key].get(id)!.has(entry);
      const users = this.users.map((user) => ({
        type: 'user',
        id: user.id,
        name: `${user.id}@${user.domain}`,
        permissions: PERMISSIONS.filter((permission) => isNew('allowed', `${user.id} ${permission}`)).toSorted(),
      }));
      const keys = this.keys
        .filter((key) => isNew('readers', key.id))
        .map((key) => ({ type: 'api_key', id: key.id, name: 'k', permissions: ['organizations:read'] }));
      const because = expect.arrayContaining([expect.objectContaining({ organizationId: expect.any(String) })]);
      return [...users.filter(({ permissions }) => permissions.length > 0), ...keys]
        .toSorted((x, y) => (x.id < y.id ? -1 : 1))
        .map((change) => ({ ...change, because }));
    }

    private usersOf({ id }: Node): User[] {
      return this.users.filter(({ organization }) => organization === id);
    }

    /** Returns the expected changes of the settings of one organization, or an empty list if nothing changes. */
    private settingsOf(node: Node, from: Observed, to: Observed, shown: (setting: Explained[string]) => unknown): object[] {
      const [before, after] = [from.settings.get(node.id)!, to.settings.get(node.id)!];
      const differing = Object.keys(after).filter((path) => !isDeepStrictEqual(before[path]!.value, after[path]!.value));
      if (differing.length === 0) return [];
      const users = this.usersOf(node);
      const begins = (path: string) => differing.includes(path) && after[path]!.value === true;
      const domains = differing.includes('allowedDomains') ? (after['allowedDomains']!.value as string[]) : [];
      const isStricter = POLICY_FIELDS.map((part) => `passwordPolicy.${part}`).some(
        (path) => Number(after[path]!.value) > Number(before[path]!.value),
      );
      return [
        {
          ...this.named(node.id),
          changes: Object.fromEntries(differing.map((path) => [path, { from: shown(before[path]!), to: shown(after[path]!) }])),
          userCount: users.length,
          usersOutOfLine: {
            withoutMfa: begins('requireMfa') ? users.filter(({ mfa }) => !mfa).length : 0,
            domainNotAllowed: domains.length > 0 ? users.filter(({ domain }) => !domains.includes(domain)).length : 0,
            passwordOlderThanPolicy: isStricter ? users.filter(({ password }) => password).length : 0,
            withoutIdentity: begins('ssoRequired') ? users.length : 0,
          },
        },
      ];
    }
  }

  let moved = 0;
  it(
    `has the settings of the model, and changes exactly as previewed (${TREES} trees)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(tree, async (drawn) => {
          const random = new RandomTree();
          await random.create(drawn);
          let observed = await random.observe();
          for (const step of drawn.steps) observed = await random.step(step, observed);
          moved += random.moved;
        }),
        { numRuns: TREES, seed: SEED, endOnFailure: true },
      );
      process.stdout.write(`${moved} moves in ${TREES} trees\n`);
      // The test proves nothing if all moves are rejected.
      expect(moved).toBeGreaterThan(TREES / 2);
    },
    60 * 60_000,
  );
});

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
