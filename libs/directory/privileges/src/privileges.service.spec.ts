import { describe, expect, it } from '@jest/globals';
import { type Caller, Clock, type Grant, type RequestContext, type RequestSession, systemContext } from '#platform/common';
import { PrivilegesService } from './privileges.service.js';
import { type UserGrant, UserGrants } from './user-grants.js';

const CHILD = { id: 'child', ancestorIds: ['parent'] };

const at = (organizationId: string, ...permissions: string[]): UserGrant => ({
  organizationId,
  permissions,
  ancestorIds: organizationId === 'child' ? ['parent'] : [],
});

/** The permissions of the users that a change affects, by tenant and user. */
const USERS: Readonly<Record<string, UserGrant[]>> = {
  'parent/higher': [at('child', 'members:read'), at('other', 'roles:read')],
  'parent/equal': [at('child', 'users:write'), at('other', 'members:read')],
  'parent/user': [at('parent', '*')],
  'other/higher': [at('other', 'users:write')],
  'other/equal': [at('other', 'users:write')],
};
const grants = new UserGrants();
grants.register(
  async (_, tenantId, ids) =>
    new Map(ids.flatMap((id) => (USERS[`${tenantId}/${id}`] ? [[id, USERS[`${tenantId}/${id}`]!]] : []))),
);
grants.registerAffected({
  listOutside: async (_, tenantId, organizationIds) => USERS[`${tenantId}/${organizationIds.join()}`] ?? [],
  listLinked: async (_, tenantId, id) => USERS[`${tenantId}/${id}`] ?? [],
});
const privileges = new PrivilegesService(grants, new Clock());
const unregistered = new PrivilegesService(new UserGrants(), new Clock());

const contextOf = (caller: Caller, authenticatedAt?: Date): RequestContext => ({
  ...systemContext('test'),
  caller,
  ...(authenticatedAt && { session: { authenticatedAt } as RequestSession }),
});
/** An API key of the parent organization. */
const key = (...permissions: string[]) => contextOf({ kind: 'key', id: 'key', organizationIds: ['parent'], permissions });
const user = (granted: Grant[], authenticatedAt = new Date()) =>
  contextOf(
    {
      kind: 'user',
      id: 'user',
      permissions: [],
      organizationIds: granted.map(({ organizationId }) => organizationId),
      ownOrganizationIds: granted.filter(({ temporary }) => !temporary).map(({ organizationId }) => organizationId),
      grants: granted,
    },
    authenticatedAt,
  );
/** A user who signed in long ago. */
const stale = (...permissions: string[]) => user([at('parent', ...permissions)], new Date(0));
const recent = (...permissions: string[]) => user([at('parent', ...permissions)]);
/** A user with break-glass access. */
const temporary = (...permissions: string[]) => user([{ ...at('parent', ...permissions), temporary: true }]);

type Outcome = 'allowed' | RegExp;
const FRESH_PROOF = /must have signed in or confirmed your identity/;
const HIGHER = /^This user has permissions that the caller does not have/;

async function expectOutcome(expected: Outcome, work: () => unknown): Promise<void> {
  const result = (async () => work())();
  if (expected === 'allowed') await expect(result).resolves.not.toThrow();
  else await expect(result).rejects.toThrow(expected);
}

describe('the privileges service', () => {
  it.each<[Outcome, RequestContext, string[]]>([
    ['allowed', key('users:*'), ['users:write']],
    ['allowed', stale('users:read'), ['users:read']],
    [FRESH_PROOF, stale('users:*'), ['users:read', 'users:write']],
    ['allowed', recent('users:*'), ['users:write']],
    [/^The role "Support" .* can't grant: members:read\./, recent('users:*'), ['members:read', 'users:read']],
    [/^The role "Support" .* can't grant: users:read\./, temporary('*'), ['users:read']],
  ])('decides about the grant of a role: %s', async (expected, ctx, permissions) => {
    const role = { name: 'Support', permissions };
    await expectOutcome(expected, () => privileges.authorizeRole(ctx, CHILD, role));
    await expectOutcome(expected, () => privileges.authorizeRoles(ctx, CHILD, [{ name: 'Empty', permissions: [] }, role]));
  });

  it('ignores the permissions of every member in the default role', async () => {
    const role = (...permissions: string[]) => ({ name: 'Support', permissions });
    privileges.authorizeDefaultRole(key(), CHILD, role('members:read'));
    const more = () => privileges.authorizeDefaultRole(key(), CHILD, role('members:read', 'roles:read'));
    expect(more).toThrow(/^The default role "Support" .* can't grant: roles:read\./);
  });

  it.each<[Outcome, Outcome, RequestContext]>([
    ['allowed', 'allowed', recent('events:read')],
    ['allowed', FRESH_PROOF, stale('events:read')],
    [/"events:read"/, /"events:read"/, recent('users:read')],
    [/"events:read"/, /"events:read"/, temporary('events:read')],
  ])('decides about reading events: %s, and about copying them: %s', async (read, copied, ctx) => {
    await expectOutcome(read, () => privileges.assertCanReadEvents(ctx, CHILD));
    await expectOutcome(copied, () => privileges.assertCanCopyEvents(ctx, CHILD));
  });

  it.each<[Outcome, RequestContext, (boolean | undefined)[]]>([
    ['allowed', stale(), []],
    ['allowed', recent('organizations:write'), [undefined, false]],
    [/^Changing setting 0 requires the permission "organizations:write"/, recent('users:*'), [undefined]],
    [FRESH_PROOF, stale('*'), [undefined]],
    ['allowed', recent('*'), [true]],
    [/^Changing setting 1 requires all permissions/, recent('organizations:*'), [false, true]],
    [/^Changing setting 0 requires all permissions/, temporary('*'), [true]],
  ])('decides about policies: %s', (expected, ctx, all) => {
    const changes = all.map((needsAll, index) => ({ organization: CHILD, setting: `setting ${index}`, needsAll }));
    return expectOutcome(expected, () => privileges.authorizePolicies(ctx, changes));
  });

  it('requires the permissions that others lose, without a fresh proof', () => {
    privileges.authorizeRevocation(stale('users:*'), CHILD, 'The group "Team"', ['users:write']);
    const more = () => privileges.authorizeRevocation(stale('users:*'), CHILD, 'The group "Team"', ['roles:read']);
    expect(more).toThrow(/^The group "Team" .* can't grant: roles:read\./);
  });

  it.each<[string, Outcome, Outcome, RequestContext, string[]]>([
    ['nobody', 'allowed', 'allowed', key(), []],
    ['a user without roles', 'allowed', 'allowed', key(), ['parent/none']],
    ['a user with more permissions elsewhere', HIGHER, 'allowed', stale('users:*'), ['parent/equal', 'parent/higher']],
    ['a user of another tenant', HIGHER, 'allowed', stale('users:*'), ['parent/equal', 'other/higher']],
    [
      'users of two tenants, each found in the own tenant',
      'allowed',
      'allowed',
      stale('users:*'),
      ['parent/equal', 'other/none'],
    ],
    ['a user with more permissions here', HIGHER, HIGHER, stale('users:read'), ['parent/equal']],
    ['the caller', 'allowed', 'allowed', stale('users:read'), ['parent/user']],
    ['a user whose id the key has', HIGHER, 'allowed', contextOf({ ...key('users:*').caller, id: 'user' }), ['parent/user']],
  ])('decides about the account of %s: %s, and about roles in one organization: %s', async (_, everywhere, here, ctx, keys) => {
    const users = keys.map((each) => each.split('/')).map(([tenantId = '', id = '']) => ({ tenantId, id }));
    await expectOutcome(everywhere, () => privileges.authorizeLoss(ctx, users));
    await expectOutcome(here, () => privileges.authorizeLossAt(ctx, users, CHILD));
  });

  it('compares the users of organizations and of identity providers with the caller', async () => {
    const outside = (id: string) => privileges.authorizeLossOfUsersOf(stale('users:*'), 'parent', [id]);
    const linked = (id: string) => privileges.authorizeLossOfLinkedUsers(stale('users:*'), { tenantId: 'parent', id });
    for (const id of ['equal', 'none']) await Promise.all([outside(id), linked(id)]);
    await expect(outside('higher')).rejects.toThrow(/^Users of this organization have permissions in other organizations/);
    await expect(linked('higher')).rejects.toThrow(/^Users who sign in with this identity provider have permissions/);
  });

  it.each<[string, Outcome, RequestContext, string]>([
    ['a user with the same permissions', 'allowed', user([at('parent', 'users:*'), at('other')]), 'equal'],
    ['a user, without a fresh proof', FRESH_PROOF, user([at('parent', 'users:*'), at('other')], new Date(0)), 'equal'],
    ['a member of an organization without access', HIGHER, recent('users:*'), 'equal'],
    [
      'a member of an organization with break-glass access',
      HIGHER,
      user([at('parent', 'users:*'), { ...at('other', '*'), temporary: true }]),
      'equal',
    ],
    ['a user with more permissions', HIGHER, user([at('parent', '*'), at('other')]), 'higher'],
    ['the caller', 'allowed', recent(), 'user'],
  ])('decides about the sign-in of %s: %s', async (_, expected, ctx, id) => {
    await expectOutcome(expected, () => privileges.authorizeSignInChange(ctx, { tenantId: 'parent', id }));
    const identifiers = expected === HIGHER ? /^A deleted user who can be restored has this email address/ : expected;
    await expectOutcome(identifiers, () => privileges.authorizeIdentifiers(ctx, 'parent', async () => [id]));
    await expectOutcome('allowed', () => privileges.authorizeIdentifiers(ctx, 'parent', async () => []));
  });

  it.each(['platform', 'system'] as const)('allows everything to a caller of the kind %s', async (kind) => {
    const ctx = contextOf({ kind, permissions: [] });
    const unused = () => Promise.reject(new Error('not needed'));
    await unregistered.authorizeLoss(ctx, [{ tenantId: 'parent', id: 'higher' }]);
    await unregistered.authorizeLossOfUsersOf(ctx, 'parent', ['higher']);
    await unregistered.authorizeLossOfLinkedUsers(ctx, { tenantId: 'parent', id: 'higher' });
    await unregistered.authorizeIdentifiers(ctx, 'parent', unused);
    await unregistered.authorizeSignInChange(ctx, { tenantId: 'parent', id: 'higher' });
  });

  it('fails if no library reads the permissions of users', async () => {
    const user = { tenantId: 'parent', id: 'equal' };
    await expect(unregistered.authorizeLoss(key('*'), [user])).rejects.toThrow('No library has registered');
    await expect(unregistered.authorizeLossOfLinkedUsers(key('*'), user)).rejects.toThrow('No library has registered');
  });
});
