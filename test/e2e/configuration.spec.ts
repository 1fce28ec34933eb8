import { beforeAll, describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { parse } from 'yaml';
import { typesDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { at, keyClient, made, newOrganization, newUser, read } from '../support/organizations.js';
import { testApp } from '../support/test-app.js';
import { SEED, sized } from '../support/test-size.js';

/** The number of organizations in an export. */
const ORGANIZATIONS = sized(5, 20, 200);
/** The number of random documents, each an edit of the one before. */
const EDITS = sized(3, 30, 1_000);
const TIMEOUT_MS = sized(60_000, 120_000, 3_600_000);

const app = testApp({ role: 'api' });

const exported = (slug: string): Promise<TestBody> => read(app, at(slug, '/configuration'));
const planned = async (slug: string, document: object, prune = true): Promise<TestBody> =>
  (await app.api.platform.post(at(slug, '/configuration/plan'), { document, prune }).expect(200)).body.data;
const apply = (slug: string, body: object) => app.api.platform.post(at(slug, '/configuration/apply'), body);
const applied = async (slug: string, document: object, prune = true): Promise<TestBody> => {
  const { state } = await planned(slug, document, prune);
  return (await apply(slug, { document, prune, state }).expect(200)).body.data;
};
const documentOf = (...organizations: object[]): object => ({ version: 1, organizations });

describe('random edits', () => {
  const ROOT = 'edited';
  const RESOURCE = 'https://edited.example';
  const LOCKABLE = ['sessionTimeout', 'defaultLocale', 'passwordPolicy'];

  const text = fc.constantFrom('one', 'two', 'three');
  const named = <T extends object>(fields: { [F in keyof T]: fc.Arbitrary<T[F]> }) =>
    fc.uniqueArray(fc.record({ name: fc.constantFrom('A', 'B b', 'c'), ...fields }), {
      maxLength: 2,
      selector: ({ name }) => name,
    });
  const settings = fc.record(
    {
      sessionTimeout: fc.constantFrom(60, 3_600),
      defaultLocale: fc.constantFrom('de', 'en'),
      passwordPolicy: fc.record({ minLength: fc.constantFrom(9, 20) }),
      allowedNetworks: fc.constantFrom([], ['203.0.113.0/24']),
      defaultRole: fc.constantFrom('viewer', 'member'),
    },
    { requiredKeys: [] },
  );
  const organization = fc.record({
    name: text,
    description: fc.option(text),
    branding: fc.option(fc.record({ primaryColor: fc.constantFrom('#000000', '#ffffff') })),
    settings,
    lockedSettings: fc.subarray(LOCKABLE, { maxLength: 2 }),
    roles: named({ description: fc.option(text), permissions: fc.subarray(['cars:drive', 'cars:sell', 'users:read']) }),
    groups: named({ description: fc.option(text), roles: fc.subarray(['admin', 'viewer']) }),
    domains: fc.subarray([{ name: 'edited.example' }, { name: 'b.edited.example' }]),
    webhooks: named({
      url: fc.constantFrom('https://127.0.0.1:9/one', 'https://127.0.0.1:9/two'),
      events: fc.subarray(['user.*', 'role.created'], { minLength: 1 }),
      enabled: fc.boolean(),
      rateLimit: fc.option(fc.constantFrom(1, 2)),
      format: fc.constantFrom('service', 'cloudevents', 'set'),
      headers: fc.constantFrom({}, { 'x-token': 'secret of the test' }),
    }),
    scimConnections: named({ maxRemovals: fc.option(fc.constantFrom(1, 2)) }),
    oauthClients: named({
      type: fc.constant('machine'),
      enabled: fc.boolean(),
      resources: fc.constantFrom([], [{ identifier: RESOURCE, scopes: ['cars:drive'] }]),
    }),
    identityProviders: named({
      issuer: fc.constantFrom('https://127.0.0.1:9/one', 'https://127.0.0.1:9/two'),
      clientId: text,
      scopes: fc.constantFrom(['openid'], ['openid', 'email']),
      mfaTrusted: fc.boolean(),
      enabled: fc.boolean(),
    }),
  });
  type Drawn = typeof organization extends fc.Arbitrary<infer T> ? T : never;
  /** Returns organizations below a root. A descendant can't override what an ancestor locks. */
  const treeOf = (nodes: readonly Drawn[], scopes: readonly string[]) => {
    const slugOf = (index: number): string => (index === 0 ? ROOT : `${ROOT}-${index}`);
    const parentOf = (index: number): number => (index < 3 ? index - 1 : Math.floor(index / 3));
    const locked: string[][] = [];
    return nodes.map((node, index) => {
      const above = index > 0 ? locked[parentOf(index)]! : [];
      locked.push([...above, ...node.lockedSettings]);
      return {
        slug: slugOf(index),
        ...(index > 0 ? { parent: slugOf(parentOf(index)) } : {}),
        ...node,
        settings: Object.fromEntries(Object.entries(node.settings).filter(([name]) => !above.includes(name))),
        oauthResources:
          index > 0 ? [] : [{ identifier: RESOURCE, name: 'Cars', scopes: ['cars:drive', ...scopes].map((name) => ({ name })) }],
      };
    });
  };
  const drawn = fc
    .record({ nodes: fc.array(organization, { minLength: 3, maxLength: 3 }), scopes: fc.subarray(['cars:sell', 'cars:buy']) })
    .map(({ nodes, scopes }) => treeOf(nodes, scopes));

  /** Returns an exported document by organization, section and item, so that changes can be made in it. */
  const changedBy = (document: TestBody, changes: readonly TestBody[]): TestBody => {
    const copy = structuredClone(document);
    for (const { organization, section, name, action, changes: fields } of changes) {
      let node = copy.organizations.find(({ slug }: TestBody) => slug === organization);
      if (!node) copy.organizations.push((node = { slug: organization }));
      const key = section === 'oauthResources' ? 'identifier' : 'name';
      const items = node[section] ?? [];
      if (action === 'delete') node[section] = items.filter((item: TestBody) => item[key] !== name);
      else if (section === 'organization') setPaths(node, fields);
      else if (action === 'create') node[section] = [...items, { [key]: name, ...valuesOf(fields) }];
      else
        Object.assign(
          items.find((item: TestBody) => item[key] === name),
          valuesOf(fields),
        );
    }
    return copy;
  };

  it(
    'are planned as they happen, and happen once',
    async () => {
      await newOrganization(app, { slug: ROOT });
      let before = await exported(ROOT);
      await fc.assert(
        fc.asyncProperty(drawn, async (organizations) => {
          const document = documentOf(...organizations);
          const { state, problems, changes } = await planned(ROOT, document);
          expect(problems).toEqual([]);

          // The state proves that the plan changed nothing.
          const applied = await apply(ROOT, { document, prune: true, state }).expect(200);

          // New organizations get other ids than in the plan.
          const withoutEffects = (each: TestBody[]) => each.map(({ settings: _, ...change }) => change);
          expect(withoutEffects(applied.body.data.changes)).toEqual(withoutEffects(changes));
          const after = await exported(ROOT);
          expect(after).toMatchObject(changedBy(before, changes));
          expect(await planned(ROOT, document)).toMatchObject({
            changes: [],
            problems: [],
            unmanaged: [],
            state: applied.body.data.state,
          });
          before = after;
        }),
        { numRuns: EDITS, seed: SEED, endOnFailure: true },
      );
    },
    TIMEOUT_MS,
  );

  it(
    'are equal after an export into an empty organization',
    async () => {
      const copyOf = (value: unknown): TestBody =>
        JSON.parse(JSON.stringify(value).replaceAll('edited', 'copied').replaceAll('EDITED', 'COPIED'));
      const nodes = fc.sample(organization, { numRuns: ORGANIZATIONS, seed: SEED });
      await newOrganization(app, { slug: 'copied' });
      await applied(ROOT, documentOf(...treeOf(nodes, ['cars:sell'])));
      const document = copyOf(await exported(ROOT));
      expect(document.organizations).toHaveLength(ORGANIZATIONS);
      const resolved = JSON.parse(JSON.stringify(document).replaceAll(/\$\{\w+\}/g, 'a secret of the environment'));

      await applied('copied', resolved);

      expect(await exported('copied')).toEqual(document);
    },
    TIMEOUT_MS,
  );
});

describe('a document', () => {
  let acme: TestBody;

  beforeAll(async () => {
    acme = await newOrganization(app, { slug: 'acme', settings: { sessionTimeout: 3_600 } });
    await newOrganization(app, { slug: 'other' });
  });

  const root = (fields: object): object => documentOf({ slug: 'acme', ...fields });
  const child = (fields: object): object => documentOf({ slug: 'acme' }, { slug: 'acme-child', parent: 'acme', ...fields });

  it.each<[name: string, document: object, pointer: string, code: string]>([
    ['an unknown section', root({ rules: [] }), '/document/organizations/0/rules', 'unknown_field'],
    [
      'an unknown field of an item',
      root({ roles: [{ name: 'a', color: 'red' }] }),
      '/document/organizations/0/roles/0/color',
      'unknown_field',
    ],
    ['an item without its name', root({ groups: [{}] }), '/document/organizations/0/groups/0/name', 'required'],
    ['an invalid domain', root({ domains: [{ name: 'a@b' }] }), '/document/organizations/0/domains/0/name', 'invalid_domain'],
    ['another version', { ...root({}), version: 2 }, '/document/version', 'out_of_range'],
    ['two roots', documentOf({ slug: 'acme' }, { slug: 'b' }), '/document/organizations', 'invalid_tree'],
    ['an unknown parent', child({ parent: 'nobody' }), '/document/organizations/1/parent', 'not_found'],
    ['a slug twice', child({ slug: 'acme' }), '/document/organizations/1/slug', 'duplicate'],
  ])('is rejected for %s', async (_, document, pointer, code) => {
    const refused = await app.api.platform.post(at('acme', '/configuration/plan'), { document }).expect(400, 'validation_failed');
    expect(refused.body.errors[0]).toMatchObject({ pointer, code });
  });

  it('is planned with each problem, and then changes nothing', async () => {
    const foreignRole = (await made(app, at('other', '/roles'), { name: 'foreign' })).id;
    const document = documentOf(
      {
        slug: 'acme',
        settings: { defaultRole: foreignRole },
        groups: [{ name: 'g', roles: ['nobody'] }],
        roles: [{ name: 'good' }],
      },
      { slug: 'other', parent: 'acme' },
      { slug: 'below-other', parent: 'other' },
    );
    const plan = await planned('acme', document);
    expect(plan.problems).toMatchObject([
      {
        section: 'organization',
        name: 'acme',
        code: 'role_not_found',
        pointer: '/document/organizations/0/settings/defaultRole',
      },
      { section: 'groups', name: 'g', code: 'role_not_found', pointer: '/document/organizations/0/groups/0' },
      { section: 'organization', name: 'other', code: 'slug_taken' },
    ]);
    const events = await typesDuring(app, async () => {
      const { body } = await apply('acme', { document, prune: true, state: plan.state }).expect(422, 'configuration_rejected');
      expect(body.errors.map(({ code }: TestBody) => code)).toEqual(['role_not_found', 'role_not_found', 'slug_taken']);
    });
    expect(events).toEqual([]);
  });

  it('is rejected if the configuration has changed since the plan', async () => {
    const document = root({ roles: [{ name: 'late' }] });
    const { state } = await planned('acme', document);
    await made(app, at('acme', '/roles'), { name: 'in between' });
    await apply('acme', { document, state }).expect(409, 'configuration_changed');
  });

  it('needs the permissions of the single requests', async () => {
    const key = await keyClient(app, acme['id'], ['organizations:read', 'roles:read', 'groups:read', 'groups:write']);
    const document = root({ roles: [{ name: 'new', permissions: ['cars:drive'] }], groups: [{ name: 'h', roles: ['viewer'] }] });
    const { body } = await key.post(at('acme', '/configuration/plan'), { document }).expect(200);
    expect(body.data.problems).toMatchObject([
      { section: 'roles', code: 'forbidden', message: expect.stringContaining('"roles:write"') },
      { section: 'groups', code: 'forbidden', message: expect.stringContaining('members:write') },
    ]);
    const refused = await key.get(at('acme', '/configuration')).expect(403, 'forbidden');
    expect(refused.body.detail).toMatch(/domains:read.*webhooks:read/);
    await key.post(at('other', '/configuration/plan'), { document }).expect(404, 'organization_not_found');
  });

  it('is planned with the people whom changes concern', async () => {
    const { id } = await newUser(app, 'acme');
    const role = await made(app, at('acme', '/roles'), { name: 'driver', permissions: ['cars:drive'] });
    await made(app, at('acme', `/users/${id}/roles`), { roleId: role['id'] });
    const { changes } = await planned(
      'acme',
      root({ settings: { requireMfa: true }, roles: [{ name: 'driver', permissions: [] }] }),
      false,
    );
    expect(changes).toMatchObject([
      { name: 'driver', action: 'update', affected: [{ by: 'user', count: 1 }] },
      {
        changes: { 'settings.requireMfa': { from: null, to: true } },
        settings: [{ id: acme['id'], usersOutOfLine: { withoutMfa: 1 } }],
      },
    ]);
  });

  it('removes only with prune, and never organizations', async () => {
    await made(app, '/v1/organizations', { name: 'Kept', slug: 'kept', parentId: 'acme' });
    const document = root({ settings: {}, domains: [] });
    await made(app, at('acme', '/domains'), { name: 'removed.example' });
    expect(await applied('acme', document, false)).toMatchObject({ changes: [] });
    expect((await planned('acme', document, false)).unmanaged).toEqual([
      { organization: 'acme', section: 'domains', name: 'removed.example' },
      { organization: 'kept', section: 'organization', name: 'kept' },
    ]);
    expect((await applied('acme', document)).changes).toMatchObject([
      { changes: { 'settings.sessionTimeout': { from: 3_600, to: null } } },
      { section: 'domains', action: 'delete' },
    ]);
    await app.api.platform.get(at('kept')).expect(200);
  });

  it('has references instead of secrets, which a new webhook needs', async () => {
    const webhook = { name: 'Billing', url: 'https://127.0.0.1:9/hooks', events: ['user.*'] };
    await made(app, at('acme', '/webhooks'), { ...webhook, headers: { 'x-token': 'hidden' } });
    const { headers, body } = await app.api.platform
      .raw('GET', at('acme', '/configuration'), undefined, { accept: 'application/yaml' })
      .expect(200);
    expect(headers.get('content-type')).toMatch(/^application\/yaml/);
    const shown = parse(body as string).organizations[0].webhooks;
    expect(shown).toMatchObject([
      { ...webhook, secret: '${ACME_BILLING_SECRET}', headers: { 'x-token': '${ACME_BILLING_X_TOKEN}' } },
    ]);
    expect(await planned('acme', root({ webhooks: shown }))).toMatchObject({ changes: [], problems: [] });
    const copied = root({ webhooks: [{ ...shown[0], name: 'Copy', headers: {} }] });
    expect((await planned('acme', copied, false)).problems).toMatchObject([
      { code: 'secret_missing', pointer: '/document/organizations/0/webhooks/0/secret' },
    ]);
  });
});

type Changes = Record<string, { to: unknown }>;

const valuesOf = (changes: Changes): TestBody =>
  Object.fromEntries(Object.entries(changes).map(([field, { to }]) => [field, to]));

/** Sets fields such as `settings.passwordPolicy.minLength`. Null removes settings and branding. */
function setPaths(node: TestBody, changes: Changes): void {
  for (const [path, { to }] of Object.entries(changes)) {
    const names = path.split('.');
    const last = names.pop()!;
    const target = names.reduce((object, name) => (object[name] ??= {}), node);
    if (to === null && names.length > 0) delete target[last];
    else target[last] = to;
    // An organization without rules for passwords has no policy.
    if (names.length > 1 && Object.keys(target).length === 0) delete node.settings.passwordPolicy;
  }
}
