import { describe, expect, it } from '@jest/globals';
import { permissionsBeyond, reaches } from './access.js';
import { hasPermission } from './covers-permission.js';
import { organizationOf, ownerFor, ownUserOf, type RequestContext, sessionOf, systemContext } from './request-context.js';

const system = systemContext('job_1');
const user: RequestContext['caller'] = { kind: 'user', tenantId: 'org_1', id: 'usr_1', permissions: [] };
const session = { id: 'ses_1' } as NonNullable<RequestContext['session']>;
const organization = { id: 'org_1', tenantId: 'org_1', name: 'A', slug: 'a', status: 'active', ancestorIds: [] } as const;

describe('systemContext', () => {
  it('has all permissions and the actor "system"', () => {
    expect(system).toMatchObject({ actor: { type: 'system' }, source: 'system', requestId: 'job_1' });
    expect(hasPermission(system.caller.permissions, 'users:delete')).toBe(true);
    expect(permissionsBeyond(system.caller.permissions, ['*'])).toEqual([]);
    expect(reaches(system.caller, organization)).toBe(true);
  });
});

describe('request context accessor', () => {
  it('returns the value that the access guard set', () => {
    expect(sessionOf({ ...system, session })).toBe(session);
    expect(ownUserOf({ ...system, caller: { ...user, grants: [] } })).toEqual({ tenantId: 'org_1', id: 'usr_1' });
    expect(organizationOf({ ...system, organization })).toBe(organization);
  });

  it('names the missing decorator if the value is not set', () => {
    expect(() => sessionOf(system)).toThrow('needs a session; declare it with @OwnAccount');
    expect(() => organizationOf(system)).toThrow('addresses no organization; declare it with @Requires');
  });

  it.each<[string, RequestContext['caller']]>([
    ['the system', system.caller],
    ['a key', { ...user, kind: 'key' }],
    ['a user without a tenant', { kind: 'user', id: 'usr_1', permissions: [] }],
    ['a user without an id', { kind: 'user', tenantId: 'org_1', permissions: [] }],
  ])('throws an error if the caller is %s', (_, caller) => {
    expect(() => ownUserOf({ ...system, caller })).toThrow('needs a signed-in user; declare it with @OwnAccount');
  });
});

describe('ownerFor', () => {
  const owner = { tenantId: 'org_2', id: 'usr_2' };

  it.each<[string, RequestContext['caller'], ReturnType<typeof ownerFor>]>([
    ['returns the user', { ...user, owner }, { ownerTenantId: 'org_1', ownerId: 'usr_1' }],
    ['returns the owner of an API key', { ...user, kind: 'key', owner }, { ownerTenantId: 'org_2', ownerId: 'usr_2' }],
    ['returns no owner for an API key without an owner', { ...user, kind: 'key' }, { ownerTenantId: null, ownerId: null }],
    [
      'returns no owner for a user without a tenant',
      { kind: 'user', id: 'usr_1', permissions: [] },
      { ownerTenantId: null, ownerId: null },
    ],
    [
      'returns no owner for a user without an ID',
      { kind: 'user', tenantId: 'org_1', permissions: [] },
      { ownerTenantId: null, ownerId: null },
    ],
    ['returns no owner for the system', system.caller, { ownerTenantId: null, ownerId: null }],
  ])('%s', (_, caller, expected) => {
    expect(ownerFor(caller)).toEqual(expected);
  });
});
