import { beforeAll, describe, expect, it } from '@jest/globals';
import { PasswordHasher } from '#platform/crypto';
import { countDifferences } from '../support/counts.js';
import { eventsDuring } from '../support/events-during.js';
import type { TestBody } from '../support/http-client.js';
import { importUsers, shortOutcomes } from '../support/imports.js';
import { identityProvider, oidcSignIn } from '../support/oidc.js';
import { at, keyClient, made, newOrganization, read } from '../support/organizations.js';
import { challenge, freshCode, signedInUser, verify } from '../support/second-factors.js';
import { startScriptedProvider } from '../support/scripted-identity-provider.js';
import { SoftwarePasskey } from '../support/software-passkey.js';
import { activeUser, PASSWORD, sessionToken, verifiedSession } from '../support/sign-in.js';
import { testApp } from '../support/test-app.js';
import { testServer } from '../support/test-server.js';

const app = testApp();
const provider = testServer(startScriptedProvider);

describe('the access of imported users', () => {
  let root: TestBody;
  let child: TestBody;
  let idp: TestBody;
  beforeAll(async () => {
    root = await newOrganization(app, { slug: 'moved' });
    child = await newOrganization(app, { slug: 'moved-berlin', parentId: root.id, settings: { defaultRole: 'viewer' } });
    await made(app, at(child.id, '/roles'), { name: 'billing', permissions: ['billing:read'] });
    idp = await identityProvider(app, root.id, provider.issuer);
  });

  it('adds memberships and linked accounts with the events of single operations, once', async () => {
    const users = [
      {
        email: 'm1@example.com',
        phoneNumber: '+49 30 1',
        phoneVerified: true,
        identities: [{ identityProvider: 'Company login', subject: 'm1' }],
        memberships: [{ organization: 'moved-berlin', role: 'admin', roles: ['billing', 'admin'] }],
      },
      { email: 'm2@example.com', status: 'suspended', memberships: [{ organization: child.id }] },
    ];
    let lines = await importUsers(app, root.id, []);
    const events = await eventsDuring(app, async () => void (lines = await importUsers(app, root.id, users)));
    expect(shortOutcomes(lines)).toEqual(['created', 'created']);
    expect(
      events.map(({ type, organization, data }) => [type, organization.id, data.role?.name ?? data.role ?? data.status]),
    ).toEqual([
      ['user.created', root.id, 'active'],
      ['user.created', root.id, 'suspended'],
      ['organization.member_added', child.id, 'admin'],
      ['organization.member_added', child.id, 'viewer'],
      ['role.assigned', child.id, 'billing'],
    ]);
    const [first, second] = await Promise.all(lines.slice(0, 2).map(({ id }) => read(app, at(child.id, `/users/${id}`))));
    expect([first, second]).toMatchObject([
      { phoneVerified: true, roles: [{ name: 'admin' }, { name: 'billing' }] },
      { status: 'suspended', roles: [{ name: 'viewer' }] },
    ]);
    provider.script = { claims: { sub: 'm1', email: 'other@example.com' } };
    expect((await oidcSignIn(app, root.id, idp.id)).body.data.user.id).toBe(first!.id);
    expect(shortOutcomes(await importUsers(app, root.id, users))).toEqual(['unchanged', 'unchanged']);

    const more = [
      { email: 'm1@example.com', memberships: [{ organization: child.id, role: 'viewer' }] },
      { email: 'm2@example.com', firstName: 'Em', identities: [{ identityProvider: idp.id, subject: 'm2' }] },
    ];
    const changes = await eventsDuring(app, () => importUsers(app, root.id, more));
    expect(changes.map(({ type, data }) => [type, data.changes])).toEqual([
      [
        'user.updated',
        {
          firstName: { from: null, to: 'Em' },
          identityProviders: { from: [], to: [{ provider: 'Company login', externalId: 'm2' }] },
        },
      ],
    ]);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('creates organizations that later lines name, also in a preview', async () => {
    const top = await newOrganization(app);
    const other = await newOrganization(app, { slug: 'not-below' });
    const organization = (slug: string, parent?: string) => ({ organization: { slug, name: slug.toUpperCase(), parent } });
    const member = (email: string, slug: string) => ({ email, memberships: [{ organization: slug, role: 'member' }] });
    const lines = [
      { email: 'before@example.com' },
      organization('in-file'),
      organization('in-file-below', 'in-file'),
      member('in-file@example.com', 'in-file-below'),
      organization('not-below'),
      organization('elsewhere-below', other.id),
      { organization: { slug: 'No Slug', name: 'X' } },
      member('later@example.com', 'in-file'),
    ];
    const expected = [
      'created',
      'created',
      'created',
      'created',
      ['slug_taken', undefined],
      ['organization_not_found', '/organization/parent'],
      ['invalid_format', '/organization/slug'],
      'created',
    ];
    expect(shortOutcomes(await importUsers(app, top.id, lines, '?preview=true'))).toEqual(expected);
    await app.api.platform.get('/v1/organizations/in-file').expect(404);
    const limited = await keyClient(app, top.id, ['users:write', 'members:write']);
    expect(shortOutcomes(await importUsers({ client: limited }, top.id, [organization('in-file')]))).toEqual([
      ['forbidden', '/organization/parent'],
    ]);
    const written = await eventsDuring(app, async () => {
      expect(shortOutcomes(await importUsers(app, top.id, lines))).toEqual(expected);
    });
    expect(written.filter(({ type }) => type === 'organization.created').map(({ data }) => data.slug)).toEqual([
      'in-file',
      'in-file-below',
    ]);
    const [parent, below] = await Promise.all(['in-file', 'in-file-below'].map((slug) => read(app, `/v1/organizations/${slug}`)));
    expect([below.name, below.parentId]).toEqual(['IN-FILE-BELOW', parent.id]);
    expect(shortOutcomes(await importUsers(app, top.id, lines)).filter((outcome) => outcome === 'unchanged')).toHaveLength(5);
    expect(await countDifferences(app.database)).toEqual([]);
  });

  it('gives nobody more than the caller can give with single operations', async () => {
    await importUsers(app, root.id, [
      { email: 'taken@example.com', identities: [{ identityProvider: idp.id, subject: 'taken' }] },
    ]);
    await importUsers(app, root.id, [
      { email: 'strong@example.com', memberships: [{ organization: child.id, role: 'owner' }] },
      { email: 'weak@example.com' },
    ]);
    const foreign = await newOrganization(app, { slug: 'elsewhere' });
    await identityProvider(app, foreign.id, provider.issuer, { name: 'Foreign login' });
    await made(app, '/v1/organizations', { name: 'Suspended', slug: 'moved-suspended', parentId: root.id });
    await app.api.platform.post(at('moved-suspended', '/suspend'), { reason: 'x' }).expect(200);
    const line = (index: number, fields: object) => ({ email: `p${index}@example.com`, ...fields });
    const inOrganization = (organization: string, fields: object = {}) => ({ memberships: [{ organization, ...fields }] });
    const linkedTo = (identityProvider: string, subject: string) => ({ identities: [{ identityProvider, subject }] });
    const client = await keyClient(app, root.id, ['users:write', 'members:write', 'organizations:read', 'members:read']);
    const lines = [
      line(0, inOrganization('elsewhere')),
      line(1, inOrganization('nowhere')),
      line(2, inOrganization(root.id)),
      line(3, inOrganization('moved-suspended')),
      line(4, inOrganization(child.id, { role: 'admin' })),
      line(5, inOrganization(child.id, { role: 'member', roles: ['nobody'] })),
      line(6, {
        memberships: [
          { organization: child.id, role: 'member' },
          { organization: 'moved-berlin', role: 'member' },
        ],
      }),
      line(7, linkedTo('Foreign login', 'p7')),
      line(8, linkedTo(idp.id, 'taken')),
      line(9, linkedTo(idp.id, 'same')),
      line(10, linkedTo('Company login', 'same')),
      { email: 'strong@example.com', ...linkedTo(idp.id, 'p10') },
      { email: 'weak@example.com', ...linkedTo(idp.id, 'p11') },
      line(11, { identities: [{ identityProvider: idp.id, subject: 'ü' }] }),
    ];
    expect(shortOutcomes(await importUsers({ client }, root.id, lines))).toEqual([
      ['organization_not_found', '/memberships/0/organization'],
      ['organization_not_found', '/memberships/0/organization'],
      ['invalid_combination', '/memberships/0/organization'],
      ['organization_suspended', '/memberships/0/organization'],
      ['forbidden', '/memberships/0/role'],
      ['role_not_found', '/memberships/0/roles/0'],
      ['duplicate_item', '/memberships/1/organization'],
      ['identity_provider_not_found', '/identities/0/identityProvider'],
      ['identity_taken', '/identities/0/subject'],
      'created',
      ['identity_taken', '/identities/0/subject'],
      ['forbidden', undefined],
      'updated',
      ['invalid_format', '/identities/0/subject'],
    ]);
    const withoutMembers = await keyClient(app, root.id, ['users:write']);
    const ofChild = await keyClient(app, child.id, ['users:write', 'members:write']);
    const outcomes = [
      ...shortOutcomes(
        await importUsers({ client: withoutMembers }, root.id, [line(20, inOrganization(child.id, { role: 'member' }))]),
      ),
      ...shortOutcomes(
        await importUsers({ client: ofChild }, child.id, [line(21, linkedTo(idp.id, 'p21')), line(22, inOrganization(root.id))]),
      ),
    ];
    expect(outcomes).toEqual([
      ['forbidden', '/memberships/0/organization'],
      ['forbidden', '/identities/0/identityProvider'],
      ['organization_not_found', '/memberships/0/organization'],
    ]);
    const admin = await activeUser(app, root.id, { email: 'admin@moved.example', roles: ['admin'] });
    const own = { client: app.api.as(await sessionToken(app, root.id, 'admin@moved.example')) };
    const ofAdmin = { email: admin.email, ...linkedTo(idp.id, 'admin') };
    expect(shortOutcomes(await importUsers(own, root.id, [ofAdmin]))).toEqual([['forbidden', undefined]]);
    // A member whom the organization does not manage.
    const sibling = await newOrganization(app, { parentId: root.id });
    expect(
      shortOutcomes(await importUsers(app, child.id, [{ email: 'strong@example.com', ...inOrganization(sibling.id) }])),
    ).toEqual([['managed_elsewhere', undefined]]);
    expect(await countDifferences(app.database)).toEqual([]);
  });
});

describe('the MFA factors of imported users', () => {
  const SECRET = 'gezd gnbv gy3t qojq gezd gnbv gy3t qojq';
  const passkeyOf = (device: SoftwarePasskey, fields: object = {}) => ({
    credentialId: device.credentialId,
    publicKey: device.publicKey.toString('base64'),
    ...fields,
  });
  const newPasskey = (): SoftwarePasskey => new SoftwarePasskey(app.config.baseUrl);

  it('sign the users in as before, and are ignored for existing users', async () => {
    const org = await newOrganization(app);
    const device = newPasskey();
    const passwordHash = await app.app.get(PasswordHasher).hash(PASSWORD);
    const users = [
      { email: 'totp@example.com', passwordHash, totpSecret: SECRET },
      { email: 'passkey@example.com', passkeys: [passkeyOf(device, { counter: 7, name: 'Laptop', rpId: 'localhost' })] },
    ];
    let lines = await importUsers(app, org.id, []);
    const events = await eventsDuring(app, async () => void (lines = await importUsers(app, org.id, users)));
    expect(events.map(({ type, data }) => [type, data.status ?? data])).toEqual([
      ['user.created', 'active'],
      ['user.created', 'active'],
      ['user.mfa_enabled', { userId: lines[0]!.id, method: 'totp', mfaMethods: ['totp'] }],
      ['user.mfa_enabled', { userId: lines[1]!.id, method: 'passkey', mfaMethods: ['passkey'] }],
    ]);

    const { challengeToken, methods } = await challenge(app, org.id, 'totp@example.com');
    expect(methods).toEqual(['totp']);
    const { sessionToken: token } = (await verify(app, challengeToken, 'totp', freshCode(app, SECRET)).expect(200)).body.data;
    expect((await verifiedSession(app, token)).authenticationMethods).toEqual(['password', 'totp']);

    const signIn = async (counter: number) => {
      const options = (await app.api.anonymous.post('/v1/auth/passkey/options', { organization: org.id }).expect(200)).body.data;
      const credential = device.assertion(options.publicKey.challenge, { counter });
      // The passkey returns the user handle of the previous service.
      Object.assign(credential.response, { userHandle: Buffer.from('previous-id').toString('base64url') });
      return app.api.anonymous.post('/v1/auth/passkey', { organization: org.id, credential });
    };
    expect((await signIn(7)).body.code).toBe('passkey_refused');
    expect((await signIn(8)).body.data.user.id).toBe(lines[1]!.id);

    const { email } = await signedInUser(app, org.id);
    const again = [...users, { email, totpSecret: SECRET, passkeys: [passkeyOf(newPasskey())] }];
    expect(shortOutcomes(await importUsers(app, org.id, again))).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect((await read(app, at(org.id, `/users?email=${email}`)))[0]).toMatchObject({ mfaEnabled: false });
  });

  it('are rejected if they can never work', async () => {
    const org = await newOrganization(app, { settings: { mfaMethods: ['passkey'] } });
    const [first, second] = [newPasskey(), newPasskey()];
    const onNoCurve = Buffer.from(second.publicKey);
    onNoCurve[onNoCurve.length - 1]! ^= 1;
    const factors = [
      { passkeys: [passkeyOf(first)] },
      { passkeys: [passkeyOf(first)] },
      { passkeys: [passkeyOf(second), passkeyOf(second)] },
      { passkeys: [passkeyOf(second, { rpId: 'elsewhere.example' })] },
      { passkeys: [passkeyOf(second, { publicKey: onNoCurve.toString('base64url') })] },
      { passkeys: [passkeyOf(second, { publicKey: 'pQECAyYgASFYIGAlBRM' })] },
      { passkeys: [passkeyOf(second)], status: 'pending' },
      { totpSecret: SECRET },
      { totpSecret: '0189' },
    ];
    const users = factors.map((fields, index) => ({ email: `f${index}@example.com`, ...fields }));
    expect(shortOutcomes(await importUsers(app, org.id, users))).toEqual([
      'created',
      ['passkey_registered', '/passkeys/0/credentialId'],
      ['passkey_registered', '/passkeys/1/credentialId'],
      ['wrong_rp_id', '/passkeys/0/rpId'],
      ['invalid_public_key', '/passkeys/0/publicKey'],
      ['invalid_public_key', '/passkeys/0/publicKey'],
      ['invalid_combination', '/status'],
      ['mfa_method_not_allowed', '/totpSecret'],
      ['invalid_format', '/totpSecret'],
    ]);
  });
});

describe('the preview of an import', () => {
  it('returns what the import would do, also for lines about users of earlier lines, and writes nothing', async () => {
    const org = await newOrganization(app);
    const idp = await identityProvider(app, org.id, provider.issuer);
    const [existing] = await importUsers(app, org.id, [{ email: 'v0@example.com', firstName: 'V' }]);
    const filler = Array.from({ length: 500 }, (_, index) => ({ email: `v-filler-${index}@example.com` }));
    const users = [
      { email: 'v0@example.com', firstName: 'W' },
      { email: 'v1@example.com', externalId: 'v1', identities: [{ identityProvider: idp.id, subject: 'v1' }] },
      { email: 'v1@example.com', externalId: 'v1' },
      ...filler,
      { email: 'v2@example.com', externalId: 'v1' },
      { email: 'v2@example.com', externalId: 'v3' },
      { email: 'v4@example.com', identities: [{ identityProvider: 'Company login', subject: 'v1' }] },
      { email: 'v5@example.com', roles: ['nobody'] },
    ];
    let preview = await importUsers(app, org.id, []);
    const events = await eventsDuring(app, async () => void (preview = await importUsers(app, org.id, users, '?preview=true')));
    expect(events).toEqual([]);
    expect((await app.api.platform.get(at(org.id, '/users?limit=1'))).body.pagination.total).toBe(1);
    expect(await read(app, at(org.id, `/users/${existing!.id}`))).toMatchObject({ firstName: 'V' });
    expect(preview.slice(0, 2)).toEqual([
      { line: 1, status: 'updated', id: existing!.id },
      { line: 2, status: 'created' },
    ]);
    expect(shortOutcomes(preview)).toEqual([
      'updated',
      'created',
      'unchanged',
      ...filler.map(() => 'created'),
      'updated',
      ['email_taken', '/email'],
      ['identity_taken', '/identities/0/subject'],
      ['role_not_found', '/roles/0'],
    ]);
    expect(preview.at(-1)).toMatchObject({ summary: { created: 501, failed: 3 }, complete: true, preview: true });
    expect(shortOutcomes(await importUsers(app, org.id, users))).toEqual(shortOutcomes(preview));
  });
});
