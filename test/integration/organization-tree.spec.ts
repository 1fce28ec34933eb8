import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  type Caller,
  Clock,
  newId,
  type OrganizationScope,
  type RequestContext,
  type RequestSession,
  systemContext,
} from '#platform/common';
import { ConfigModule, loadConfig } from '#platform/config';
import { DatabaseModule } from '#platform/database';
import {
  EffectiveSettingsService,
  MailDefaultsService,
  OrganizationScopeQuery,
  resolveSettings,
  SessionRequirementsQuery,
  strictestSettings,
} from '#directory/organizations';
import { DataSource } from 'typeorm';
import { SettingsLayersQuery } from '../../libs/directory/organizations/src/settings/settings-layers.query.js';
import '../support/verify-rows.js';
import { insertOrganizations } from '../support/insert-rows.js';
import { createTestDatabase, type TestDatabase } from '../support/postgres.js';

const ctx = systemContext('test');

let database: TestDatabase;
let app: INestApplicationContext;
let scopes: OrganizationScopeQuery;
let settings: EffectiveSettingsService;
let sessionRequirements: SessionRequirementsQuery;
/** A tree of three organizations, and a second root organization. */
let root: OrganizationRef, child: OrganizationRef, grandchild: OrganizationRef, other: OrganizationRef;

type OrganizationRef = Pick<OrganizationScope, 'id' | 'tenantId' | 'ancestorIds'>;

beforeAll(async () => {
  database = await createTestDatabase();
  const config = loadConfig({ DATABASE_URL: database.url, SECRETS_KEY: randomBytes(32).toString('base64') });
  const imports = [
    ConfigModule.forRoot(config),
    DatabaseModule.forRoot(({ databaseUrl }) => ({ type: 'postgres', url: databaseUrl!, entities: [], poolSize: 4 })),
  ];
  const providers = [
    Clock,
    EffectiveSettingsService,
    MailDefaultsService,
    SettingsLayersQuery,
    OrganizationScopeQuery,
    SessionRequirementsQuery,
  ];
  app = await NestFactory.createApplicationContext(
    { module: class TestModule {}, imports, providers },
    { logger: false, abortOnError: false },
  );
  [scopes, settings, sessionRequirements] = [
    app.get(OrganizationScopeQuery),
    app.get(EffectiveSettingsService),
    app.get(SessionRequirementsQuery),
  ];
});

afterAll(async () => {
  await app?.close();
  await database?.drop();
});

beforeEach(async () => {
  root = await organization();
  child = await organization(root);
  grandchild = await organization(child);
  other = await organization();
});

const query = (sql: string, values: unknown[]) => app.get(DataSource).query(sql, values);
async function organization(parent?: OrganizationRef): Promise<OrganizationRef> {
  const id = newId('organization');
  const ancestorIds = parent ? [...parent.ancestorIds, parent.id] : [];
  const ref = { id, tenantId: parent?.tenantId ?? id, ancestorIds };
  await insertOrganizations(app.get(DataSource), ref);
  return ref;
}
const set = (
  ref: OrganizationRef,
  column: 'status' | 'deleted_at' | 'branding' | 'settings_overrides' | 'locked_settings' | 'name',
  value: unknown,
) => query(`UPDATE organizations SET ${column} = $2 WHERE id = $1`, [ref.id, value]);
const scopeOf = (ref: OrganizationRef, status: OrganizationScope['status'] = 'active'): OrganizationScope => ({
  ...ref,
  name: 'Name',
  slug: `slug-${ref.id}`,
  status,
});

describe('the scope of an organization', () => {
  it('is found by ID and slug', async () => {
    expect(await scopes.findScope(ctx, grandchild.id)).toEqual(scopeOf(grandchild));
    expect(await scopes.findScope(ctx, `slug-${root.id}`)).toEqual(scopeOf(root));
    expect(await scopes.findScope(ctx, 'nobody')).toBeNull();
    await set(child, 'deleted_at', new Date());
    expect(await scopes.findScope(ctx, child.id)).toBeNull();
  });

  it('is found by its key, not by a cached slug that belongs to another organization now', async () => {
    const slug = `slug-${child.id}`;
    for (const handle of [child.id, slug]) expect(await scopes.findScope(ctx, handle)).toEqual(scopeOf(child));
    await query('DELETE FROM organization_handles WHERE organization_id = $1', [child.id]);
    for (const handle of [child.id, slug]) expect(await scopes.findScope(ctx, handle)).toEqual(scopeOf(child));
    await query(`UPDATE organizations SET slug = id WHERE id = $1`, [child.id]);
    expect(await scopes.findScope(ctx, slug)).toBeNull();
    await query('UPDATE organizations SET slug = $2 WHERE id = $1', [other.id, slug]);
    await query('INSERT INTO organization_handles VALUES ($1, $2, $2)', [slug, other.id]);
    expect(await scopes.findScope(ctx, slug)).toEqual({ ...scopeOf(other), slug });
    expect(await scopes.findById(ctx, grandchild)).toEqual(scopeOf(grandchild));
    expect(await scopes.findById(ctx, { id: grandchild.id, tenantId: other.tenantId })).toBeNull();
    await set(grandchild, 'deleted_at', new Date());
    expect(await scopes.findById(ctx, grandchild)).toBeNull();
  });

  it('is suspended if an ancestor is suspended', async () => {
    const statuses = () =>
      Promise.all([root, child, grandchild, other].map(async ({ id }) => (await scopes.findScope(ctx, id))?.status));
    await set(child, 'status', 'suspended');
    expect(await statuses()).toEqual(['active', 'suspended', 'suspended', 'active']);
    await set(child, 'status', 'pending');
    expect(await statuses()).toEqual(['active', 'pending', 'active', 'active']);
    await set(root, 'status', 'suspended');
    expect(await statuses()).toEqual(['suspended', 'pending', 'suspended', 'active']);
  });

  it('can be requested after the deletion', async () => {
    expect(await scopes.findDeletedScope(ctx, child.id)).toBeNull();
    await set(child, 'deleted_at', new Date());
    expect(await scopes.findDeletedScope(ctx, child.id)).toEqual(scopeOf(child));
    expect(await scopes.findDeletedScope(ctx, `slug-${child.id}`)).toEqual(scopeOf(child));
    expect(await scopes.findDeletedScope(ctx, 'nobody')).toBeNull();
  });

  it('is not listed for another tenant', async () => {
    const ids = [root.id, grandchild.id, other.id, 'org_unknown'];
    const found = await scopes.listByIds(ctx, root.tenantId, ids);
    expect(new Map(found.map((each) => [each.id, each]))).toEqual(
      new Map([
        [root.id, scopeOf(root)],
        [grandchild.id, scopeOf(grandchild)],
      ]),
    );
    await set(grandchild, 'deleted_at', new Date());
    expect((await scopes.listByIds(ctx, root.tenantId, ids)).map(({ id }) => id)).toEqual([root.id]);
    expect(await scopes.listByIds(ctx, other.tenantId, [root.id, child.id])).toEqual([]);
  });
});

describe('the hidden organizations of a past moment', () => {
  const BEFORE = '2020-06-01T00:00:00Z';
  const version = ({ id }: OrganizationRef, to: string) =>
    query(`INSERT INTO organizations_history SELECT o.*, '2020-01-01', $2 FROM organizations o WHERE o.id = $1`, [id, to]);
  const move = ({ id }: OrganizationRef, ancestorIds: string[]) =>
    query('UPDATE organizations SET ancestor_ids = $2 WHERE id = $1', [id, ancestorIds]);
  const hidden = async (caller: Partial<Caller>, present = child, asOf = BEFORE) => {
    const who: RequestContext = { ...ctx, caller: { kind: 'key', permissions: [], ...caller } };
    return (await scopes.listHidden(who, asOf, scopeOf(child), scopeOf(present))).toSorted();
  };

  it('were descendants or ancestors then, and are not accessible now', async () => {
    await version(root, 'infinity');
    await version(child, 'infinity');
    await version(grandchild, '2021-01-01');
    const inChild = { organizationIds: [child.id] };
    expect(await hidden(inChild)).toEqual([]);
    expect(await hidden({ ...inChild, inaccessibleOrganizationIds: [grandchild.id] })).toEqual([grandchild.id]);
    await move(grandchild, [root.id]);
    expect(await hidden(inChild)).toEqual([grandchild.id]);
    expect(await hidden(inChild, { ...child, ancestorIds: [] })).toEqual([root.id, grandchild.id].toSorted());
    expect(await hidden(inChild, child, '2021-06-01T00:00:00Z')).toEqual([]);
    expect(await hidden({ organizationIds: [child.id, root.id] })).toEqual([]);
    expect(await hidden({})).toEqual([]);
    for (const kind of ['platform', 'system'] as const) expect(await hidden({ ...inChild, kind })).toEqual([]);
  });

  it('include organizations in all tenants of the caller', async () => {
    const guest = await organization(other);
    await version(guest, '2021-01-01');
    await move(guest, []);
    expect(await hidden({ organizationIds: [other.id], tenantIds: [other.tenantId] })).toEqual([guest.id]);
    expect(await hidden({ organizationIds: [other.id] })).toEqual([]);
  });
});

describe('MailDefaultsService', () => {
  it('returns the inherited branding and the effective locale', async () => {
    const defaultsOf = (ref: OrganizationRef) => app.get(MailDefaultsService).get(ctx, ref);
    expect(await defaultsOf(grandchild)).toEqual({ branding: {}, defaultLocale: 'en' });
    await set(root, 'branding', { primaryColor: '#111111' });
    await set(root, 'settings_overrides', { defaultLocale: 'de' });
    await set(other, 'branding', { primaryColor: '#999999' });
    expect(await defaultsOf(grandchild)).toEqual({ branding: { primaryColor: '#111111' }, defaultLocale: 'de' });
    await set(child, 'branding', { primaryColor: '#222222' });
    await set(grandchild, 'settings_overrides', { defaultLocale: 'en' });
    expect(await defaultsOf(grandchild)).toEqual({ branding: { primaryColor: '#222222' }, defaultLocale: 'en' });
    expect(await defaultsOf(root)).toEqual({ branding: { primaryColor: '#111111' }, defaultLocale: 'de' });
    await set(root, 'locked_settings', ['defaultLocale']);
    expect(await defaultsOf(grandchild)).toEqual({ branding: { primaryColor: '#222222' }, defaultLocale: 'de' });
  });
});

describe('the effective setting', () => {
  const timeoutOf = async (ref: OrganizationRef) => (await settings.get(ctx, ref)).values.sessionTimeout;

  it('changes immediately when an ancestor changes the setting', async () => {
    expect(await timeoutOf(grandchild)).toBe(86_400);
    await set(root, 'settings_overrides', { sessionTimeout: 100 });
    expect([await timeoutOf(root), await timeoutOf(grandchild), await timeoutOf(other)]).toEqual([100, 100, 86_400]);
    await set(grandchild, 'settings_overrides', { sessionTimeout: 300 });
    expect([await timeoutOf(child), await timeoutOf(grandchild)]).toEqual([100, 300]);
    await set(child, 'locked_settings', ['sessionTimeout']);
    const { values, lockedBy } = await settings.get(ctx, grandchild);
    expect([values.sessionTimeout, lockedBy]).toEqual([100, { sessionTimeout: { id: child.id, name: 'Name' } }]);
  });

  it('is returned for several organizations', async () => {
    await set(root, 'settings_overrides', { sessionTimeout: 100 });
    await set(other, 'settings_overrides', { sessionTimeout: 200 });
    await set(child, 'settings_overrides', { requireMfa: true });
    const all = await settings.getMany(ctx, [grandchild, other, root]);
    expect([...all].map(([id, { values }]) => [id, values.sessionTimeout, values.requireMfa])).toEqual([
      [grandchild.id, 100, true],
      [other.id, 200, false],
      [root.id, 100, false],
    ]);
    expect(await settings.getMany(ctx, [])).toEqual(new Map());
    expect(await settings.getSessionRules(ctx, [grandchild, other])).toMatchObject({ requireMfa: true, sessionTimeout: 100 });
  });

  it('is inherited before the organization is created', async () => {
    await set(root, 'settings_overrides', { sessionTimeout: 100 });
    expect(await timeoutOf({ id: newId('organization'), tenantId: root.tenantId, ancestorIds: [root.id] })).toBe(100);
  });

  it('is listed for each ancestor from the root to the parent', async () => {
    await set(child, 'settings_overrides', { requireMfa: true });
    await set(child, 'locked_settings', ['requireMfa']);
    expect(await settings.ancestorLayers(ctx, grandchild)).toEqual([
      { id: root.id, name: 'Name', overrides: {}, locked: [] },
      { id: child.id, name: 'Name', overrides: { requireMfa: true }, locked: ['requireMfa'] },
    ]);
    expect(await settings.ancestorLayers(ctx, root)).toEqual([]);
  });
});

describe('the unmet MFA requirements', () => {
  const sessionWith = (...authenticationMethods: string[]): RequestSession => ({
    id: 'ses_1',
    organizationId: other.id,
    authenticationMethods,
    createdAt: new Date(),
    authenticatedAt: new Date(),
    expiresAt: new Date(),
    longestIdleSeconds: 0,
    rules: strictestSettings([resolveSettings([]).values]),
    enrolmentOnly: false,
  });
  const unmet = async (accessible: OrganizationRef[], ...methods: string[]) =>
    (
      await sessionRequirements.listUnmet(
        ctx,
        { organizationIds: accessible.map(({ id }) => id), tenantIds: accessible.map(({ tenantId }) => tenantId) },
        sessionWith(...methods),
      )
    ).toSorted();
  const ids = (...refs: OrganizationRef[]) => refs.map(({ id }) => id).toSorted();

  it('the list includes descendants of accessible organizations', async () => {
    await set(other, 'settings_overrides', { requireMfa: true });
    expect(await unmet([root], 'password')).toEqual([]);
    await set(child, 'settings_overrides', { requireMfa: true });
    expect(await unmet([root], 'password')).toEqual(ids(child));
    expect(await unmet([grandchild, other], 'password')).toEqual(ids(grandchild, other));
    expect(await unmet([root, other], 'passkey')).toEqual([]);
    expect(await unmet([], 'password')).toEqual([]);
  });

  it('the list includes organizations that do not allow the MFA method', async () => {
    await set(root, 'settings_overrides', { requireMfa: true });
    await set(grandchild, 'settings_overrides', { mfaMethods: ['passkey'] });
    expect(await unmet([root], 'totp')).toEqual(ids(grandchild));
    expect(await unmet([root], 'passkey')).toEqual([]);
    expect(await unmet([child], 'password')).toEqual(ids(child, grandchild));
  });

  it('the list includes organizations that do not allow the network', async () => {
    await set(child, 'settings_overrides', { allowedNetworks: ['10.0.0.0/8'] });
    const from = (ipAddress: string, caller: { organizationIds?: string[] }) =>
      sessionRequirements.listUnmet({ ...ctx, ipAddress }, caller, sessionWith('password'));
    expect(await from('192.0.2.1', { organizationIds: [root.id] })).toEqual(ids(child));
    expect(await from('10.0.0.1', { organizationIds: [root.id] })).toEqual([]);
    expect(await from('192.0.2.1', {})).toEqual([]);
  });

  it('the list includes deleted descendants', async () => {
    for (const ref of [root, child]) {
      await set(ref, 'settings_overrides', { requireMfa: true });
      await set(ref, 'deleted_at', new Date());
    }
    expect(await unmet([root], 'password')).toEqual(ids(child));
  });

  it('the list includes only accessible organizations if the session excludes the network', async () => {
    await set(child, 'settings_overrides', { requireMfa: true });
    const rules = { ...sessionWith().rules, allowedNetworks: [['10.0.0.0/8']] };
    const from = (ipAddress: string) =>
      sessionRequirements.listUnmet({ ...ctx, ipAddress }, { organizationIds: [root.id] }, { ...sessionWith('passkey'), rules });
    expect(await from('192.0.2.1')).toEqual([root.id]);
    expect(await from('10.0.0.1')).toEqual([]);
  });

  it('reject a request that affects such an organization', async () => {
    for (const ref of [child, other]) await set(ref, 'settings_overrides', { requireMfa: true });
    const affect = (session: RequestSession | undefined, ...affected: OrganizationRef[]) =>
      sessionRequirements.assertMet(
        { ...ctx, session },
        affected.map((ref) => scopeOf(ref)),
      );
    await affect(undefined, child);
    await affect(sessionWith('password'));
    await affect(sessionWith('password'), root);
    await affect(sessionWith('totp'), child);
    const rejected = affect(sessionWith('password'), root, grandchild, other);
    await expect(rejected).rejects.toMatchObject({ code: 'forbidden', kind: 'forbidden' });
    await expect(rejected).rejects.toThrow(`The request affects the organization "Name" (${grandchild.id}), whose rules`);
  });
});
