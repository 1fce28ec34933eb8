import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { Clock } from '#platform/common';
import { OrganizationPurgeService } from '#directory/organizations';
import * as fc from 'fast-check';
import { insertTrustedProvider } from '../support/oidc.js';
import { testApp } from '../support/test-app.js';
import { sized } from '../support/test-size.js';

/** The number of trees in `npm test`, `npm run test:all` and long runs. */
const TREES = sized(8, 40, 1_000);
type Overrides = Record<string, unknown>;

interface Node {
  id: string;
  name: string;
  parent?: Node;
  overrides: Overrides;
  locked: string[];
  /** The node whose deletion deleted this node. */
  deletedWith?: Node;
  /** Users that this organization manages, with the properties that the rules check. */
  users: { domain: string; mfa: boolean; password: boolean }[];
}

const chainOf = (node: Node): Node[] => (node.parent ? [...chainOf(node.parent), node] : [node]);

/** Returns the expected value and source of every path. */
function model(node: Node): Record<string, { value: unknown; source: unknown }> {
  const result: Record<string, { value: unknown; source: unknown }> = {};
  const locked = new Set<string>();
  for (const { id, name, overrides, locked: locks } of chainOf(node)) {
    for (const [path, value] of Object.entries(overrides))
      if (!locked.has(path.split('.')[0]!)) result[path] = { value, source: { id, name } };
    for (const field of locks) locked.add(field);
  }
  const fallback = { ...DEFAULTS, 'passwordPolicy.minLength': result['requireMfa']?.value ? 8 : 15 };
  for (const [path, value] of Object.entries(fallback)) result[path] ??= { value, source: 'default' };
  return result;
}

const DEFAULTS: Record<string, unknown> = {
  allowPublicSignup: false,
  requireMfa: false,
  mfaMethods: ['totp', 'passkey'],
  sessionTimeout: 86_400,
  'passwordPolicy.minLength': 15,
  'passwordPolicy.requireUppercase': false,
  'passwordPolicy.requireNumbers': false,
  'passwordPolicy.requireSymbols': false,
  'passwordPolicy.preventReuse': 0,
  allowedDomains: [],
  defaultRole: 'role_member',
  sessionLifetime: 2_592_000,
  maxApiKeyLifetime: 0,
  disableFlaggedApiKeys: false,
  disableFlaggedWebhooks: false,
  allowedNetworks: [],
  defaultLocale: 'en',
  ssoRequired: false,
};
const FIELDS = [...new Set(Object.keys(DEFAULTS).map((path) => path.split('.')[0]!))];
const PARTS = Object.keys(DEFAULTS).flatMap((path) => path.split('.').slice(1));

const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: null, freq: 4 });
const settings = fc.record(
  {
    allowPublicSignup: orNull(fc.boolean()),
    requireMfa: orNull(fc.boolean()),
    mfaMethods: orNull(fc.uniqueArray(fc.constantFrom('totp', 'sms', 'email', 'passkey'), { minLength: 1, maxLength: 4 })),
    sessionTimeout: orNull(fc.integer({ min: 60, max: 90_000 })),
    passwordPolicy: orNull(
      fc.record(
        {
          minLength: orNull(fc.integer({ min: 8, max: 40 })),
          requireUppercase: orNull(fc.boolean()),
          requireNumbers: orNull(fc.boolean()),
          requireSymbols: orNull(fc.boolean()),
          preventReuse: orNull(fc.integer({ min: 0, max: 24 })),
        },
        { requiredKeys: [] },
      ),
    ),
    allowedDomains: orNull(fc.uniqueArray(fc.constantFrom('a.example', 'b.example', 'c.example'), { maxLength: 2 })),
    defaultRole: orNull(fc.constantFrom('role_viewer', 'role_admin', 'role_member')),
    sessionLifetime: orNull(fc.integer({ min: 300, max: 2_592_000 })),
    maxApiKeyLifetime: orNull(fc.integer({ min: 0, max: 90_000 })),
    disableFlaggedApiKeys: orNull(fc.boolean()),
    disableFlaggedWebhooks: orNull(fc.boolean()),
    allowedNetworks: orNull(fc.subarray(['10.0.0.0/8', '2001:db8::/32'])),
    defaultLocale: orNull(fc.constantFrom('en', 'de', 'pt-BR')),
    ssoRequired: orNull(fc.boolean()),
  },
  { requiredKeys: [] },
);
const locks = fc.uniqueArray(fc.constantFrom(...FIELDS), { maxLength: 3 });
const pick = fc.nat({ max: 1_000 });
const operation = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('create' as const), at: pick, settings, locks }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('patch' as const),
      at: pick,
      settings,
      locks: fc.option(locks, { nil: undefined }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), at: pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('time' as const), days: fc.integer({ min: 1, max: 40 }) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;
type Patch = typeof settings extends fc.Arbitrary<infer T> ? T : never;

/** Returns the overrides by path after a patch. */
function patched(overrides: Overrides, patch: Patch): Overrides {
  const next = { ...overrides };
  for (const [field, value] of Object.entries(patch)) {
    if (field !== 'passwordPolicy') next[field] = value;
    else
      for (const part of PARTS)
        if (value === null || part in (value as object)) next[`passwordPolicy.${part}`] = value && (value as Overrides)[part];
  }
  return Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null));
}

const isLockedAbove = (node: Node, field: string): boolean =>
  chainOf(node)
    .slice(0, -1)
    .some(({ locked }) => locked.includes(field));

/** Returns the patch without locked settings that have the value already, or undefined if it changes a locked setting. */
function allowedPatch(node: Node, patch: Patch): Patch | undefined {
  const current = model(node);
  const values = Object.entries(patch).filter(([field, value]) => value !== null && isLockedAbove(node, field));
  const isCurrent = ([path, value]: [string, unknown]): boolean => isDeepStrictEqual(current[path]?.value, value);
  if (!Object.entries(patched({}, Object.fromEntries(values))).every(isCurrent)) return undefined;
  if (values.some(([, value]) => Object.values(value as object).includes(null))) return undefined;
  return Object.fromEntries(Object.entries(patch).filter((entry) => !values.some(([field]) => field === entry[0])));
}

describe('a random organization tree', () => {
  const app = testApp();
  let offsetMs = 0;
  const realNow = () => new Date(Date.now() + offsetMs);

  beforeAll(async () => {
    app.app.get(Clock).now = realNow;
  });

  class Tree {
    nodes: Node[] = [];
    private deletedAt = new Map<Node, number>();

    live = () => this.nodes.filter(({ deletedWith }) => !deletedWith);
    subtree = (node: Node) => this.live().filter((each) => chainOf(each).includes(node));

    async create(parent: Node | undefined, drawn: Patch, locked: string[]): Promise<void> {
      // A new root organization has no identity provider yet.
      const patch = parent ? drawn : { ...drawn, ssoRequired: null };
      const name = `n${this.nodes.length}`;
      const draft: Node = { id: '', name, parent, overrides: {}, locked, users: [] };
      const allowed = allowedPatch(draft, patch);
      const response = await app.api.platform.post('/v1/organizations', {
        name,
        parentId: parent?.id,
        settings: patch,
        lockedSettings: locked,
      });
      expect(response.status).toBe(allowed ? 201 : 422);
      if (!allowed) return;
      const node = { ...draft, id: (response.body as { data: { id: string } }).data.id, overrides: patched({}, allowed) };
      this.nodes.push(node);
      if (!parent) await insertTrustedProvider(app, node.id);
      await this.populate(node);
    }

    /** Inserts users with SQL. Domain rules would reject some of the users over HTTP. */
    private async populate(node: Node): Promise<void> {
      node.users = [...'abc']
        .slice(0, this.nodes.length % 4)
        .map((letter, index) => ({ domain: `${letter}.example`, mfa: index % 2 === 0, password: index > 0 }));
      for (const [index, { domain, mfa, password }] of node.users.entries()) {
        await app.database.query(
          `INSERT INTO users (tenant_id, id, organization_id, email, email_key, mfa_enabled, last_password_change_at, created_at, updated_at)
           SELECT tenant_id, $2 || '_' || $3, id, $4, $4, $5, $6, now(), now() FROM organizations WHERE id = $1`,
          [node.id, node.id, index, `${node.id}-${index}@${domain}`, mfa, password ? new Date() : null],
        );
      }
    }

    async patch(node: Node, patch: Patch, locked: string[] | undefined): Promise<void> {
      const body = { settings: patch, ...(locked ? { lockedSettings: locked } : {}) };
      const allowed = allowedPatch(node, patch);
      const preview = await app.api.platform.post(`/v1/organizations/${node.id}/settings/preview`, body);
      const response = await app.api.platform.patch(`/v1/organizations/${node.id}`, body);
      expect([preview.status, response.status]).toEqual(allowed ? [200, 200] : [422, 422]);
      if (!allowed) return;
      const before = new Map(this.subtree(node).map((each) => [each, model(each)]));
      node.overrides = patched(node.overrides, allowed);
      node.locked = locked ?? node.locked;
      const expected = this.subtree(node).flatMap((each) => previewOf(each, before.get(each)!, model(each)));
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
      const actual = (preview.body as { data: { organizations: { id: string }[] } }).data.organizations;
      expect([...actual].sort(byId)).toEqual(expected.sort(byId));
    }

    async remove(node: Node): Promise<void> {
      const subtree = this.subtree(node);
      const plain = await app.api.platform.delete(`/v1/organizations/${node.id}`);
      expect(plain.status).toBe(subtree.length > 1 ? 409 : 204);
      if (plain.status === 409)
        expect((await app.api.platform.delete(`/v1/organizations/${node.id}?cascade=true`)).status).toBe(204);
      for (const each of subtree) each.deletedWith = node;
      this.deletedAt.set(node, realNow().getTime());
    }

    async restore(node: Node): Promise<void> {
      const response = await app.api.platform.post(`/v1/organizations/${node.id}/restore`, {});
      if (node.parent?.deletedWith) return expect(response.status).toBe(409);
      expect(response.status).toBe(200);
      if (node.deletedWith) for (const each of this.nodes) if (each.deletedWith === node) each.deletedWith = undefined;
    }

    async passTime(days: number): Promise<void> {
      offsetMs += days * 86_400_000;
      await app.app.get(OrganizationPurgeService, { strict: false }).purgeDue();
      const due = (root: Node) => realNow().getTime() - (this.deletedAt.get(root) ?? Infinity) >= 30 * 86_400_000;
      const gone = this.nodes.filter(
        (node) => node.deletedWith && chainOf(node).some((each) => each.deletedWith && due(each.deletedWith)),
      );
      for (const node of gone) expect((await app.api.platform.post(`/v1/organizations/${node.id}/restore`, {})).status).toBe(404);
      this.nodes = this.nodes.filter((node) => !gone.includes(node));
    }

    async check(): Promise<void> {
      for (const node of this.live()) {
        const response = await app.api.platform.get(`/v1/organizations/${node.id}/settings`);
        const { passwordPolicy, ...plain } = (response.body as { data: Record<string, Record<string, unknown>> }).data;
        const parts = Object.entries(passwordPolicy!).map(([part, value]) => [`passwordPolicy.${part}`, value] as const);
        const paths = [...Object.entries(plain), ...parts] as [string, { value: unknown; source: unknown }][];
        const actual = Object.fromEntries(paths.map(([path, { value, source }]) => [path, { value, source }]));
        expect(actual).toEqual(model(node));
      }
    }

    async run(step: Operation): Promise<void> {
      const live = this.live();
      const at = 'at' in step ? step.at : 0;
      if (step.kind === 'create')
        return this.create(live.length === 0 ? undefined : live[at % live.length], step.settings, step.locks);
      if (step.kind === 'time') return this.passTime(step.days);
      const candidates = step.kind === 'restore' ? this.nodes.filter(({ deletedWith }) => deletedWith) : live;
      const node = candidates[at % candidates.length];
      if (!node) return;
      if (step.kind === 'patch') return this.patch(node, step.settings, step.locks);
      return step.kind === 'delete' ? this.remove(node) : this.restore(node);
    }
  }

  it(
    `has the settings of the reference model (${TREES} trees)`,
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 14 }), async (steps) => {
          const tree = new Tree();
          await tree.create(undefined, {}, []);
          for (const step of steps) await tree.run(step);
          await tree.check();
        }),
        { numRuns: TREES, endOnFailure: true },
      );
    },
    30 * 60_000,
  );
});

type Explained = Record<string, { value: unknown; source: unknown }>;

/** Returns the expected preview of one organization, or an empty list if nothing changes. */
function previewOf(
  node: Node,
  before: Explained,
  after: Explained,
): { id: string; name: string; changes: object; userCount: number; usersOutOfLine: object }[] {
  const differing = Object.keys(after).filter(
    (path) => JSON.stringify(before[path]!.value) !== JSON.stringify(after[path]!.value),
  );
  if (differing.length === 0) return [];
  const changes = Object.fromEntries(differing.map((path) => [path, { from: before[path]!.value, to: after[path]!.value }]));
  const mfaRequired = differing.includes('requireMfa') && after['requireMfa']!.value === true;
  const stricter = (path: string) => Number(after[path]!.value) > Number(before[path]!.value);
  const isStricter = PARTS.some((part) => stricter(`passwordPolicy.${part}`));
  const domains = differing.includes('allowedDomains') ? (after['allowedDomains']!.value as string[]) : [];
  const usersOutOfLine = {
    withoutMfa: mfaRequired ? node.users.filter(({ mfa }) => !mfa).length : 0,
    domainNotAllowed: domains.length > 0 ? node.users.filter(({ domain }) => !domains.includes(domain)).length : 0,
    passwordOlderThanPolicy: isStricter ? node.users.filter(({ password }) => password).length : 0,
    withoutIdentity: differing.includes('ssoRequired') && after['ssoRequired']!.value === true ? node.users.length : 0,
  };
  return [{ id: node.id, name: node.name, changes, userCount: node.users.length, usersOutOfLine }];
}
