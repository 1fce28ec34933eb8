import { SERVICE_PERMISSIONS } from '#platform/common';
import fc from 'fast-check';

export const SERVICE_RESOURCES = [...new Set(SERVICE_PERMISSIONS.map((permission) => permission.split(':')[0]!))];
export const APPLICATION_PERMISSIONS = ['payments:approve', 'payments:*', 'cars:drive'];
/** The password of all conspirators with a fresh session, which the OpenAPI document has as an example. */
export const PASSWORD = 'lantern orbit velvet quarry';
/** No request of a test comes from this network. */
export const OTHER_NETWORK = '198.51.100.0/24';
/** The domain of the addresses that the conspirators control. */
export const OWN_DOMAIN = 'conspirators.example';

const index = fc.noShrink(fc.nat(1_000));
const rarely = (chance = 6) => fc.noShrink(fc.nat(chance - 1)).map((number) => number === 1);
const permission = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom<string>(...SERVICE_PERMISSIONS) },
  // Most requests need one of these permissions.
  { weight: 10, arbitrary: fc.constantFrom(...SERVICE_RESOURCES.map((resource) => `${resource}:*`)) },
  { weight: 1, arbitrary: fc.constantFrom('*') },
  { weight: 2, arbitrary: fc.constantFrom(...APPLICATION_PERMISSIONS) },
);
const permissions = fc.uniqueArray(permission, { minLength: 4, maxLength: 12, size: 'max' });
const settings = fc.record({
  requireMfa: rarely(4),
  isNetworkLimited: rarely(6),
  ssoRequired: rarely(8),
  defaultRole: fc.option(index, { freq: 2 }),
  isLocked: rarely(5),
});
/** Access tokens of users: of an application, bound to a key, and passed on to a program that exchanges it. */
export const TOKENS = ['oauth', 'oauth_bound', 'oauth_exchanged', 'oauth_exchanged'] as const;
const SESSIONS = ['session', 'session', 'session', 'session', 'session'] as const;
const assignment = fc.record({ organization: index, role: index });

const NONE = [undefined, undefined, undefined, undefined, undefined, undefined] as const;
/** Organizations, roles, groups, people and conspirators. Each index selects an existing object, such as the parent of an organization. */
export const powerGraph = fc.record({
  organizations: fc.array(fc.record({ parent: index, isSuspended: rarely(10), settings }), {
    minLength: 2,
    maxLength: 4,
    size: 'max',
  }),
  /** The organization that is deleted before the first request. The number of an organization with children means no deletion. */
  deleted: index,
  situation: fc.constantFrom(...NONE, ...(['locks', 'people', 'sessions', 'impersonation', 'names'] as const)),
  /** Whether administrators can change what the SCIM connection provisions. */
  allowsLocalChanges: rarely(4),
  roles: fc.array(fc.record({ organization: index, permissions }), { minLength: 2, maxLength: 4, size: 'max' }),
  groups: fc.array(fc.record({ organization: index, role: index, isProvisioned: rarely(3) }), { minLength: 1, maxLength: 2 }),
  people: fc.array(
    fc.record({
      organization: index,
      assignments: fc.array(assignment, { minLength: 1, maxLength: 2 }),
      group: fc.option(index, { freq: 2 }),
      status: fc.constantFrom('active', 'active', 'active', 'pending', 'suspended', 'deleted'),
      isProvisioned: rarely(3),
      isLinked: rarely(3),
      /** Whether somebody set a password before the owner of the address confirmed it. */
      isUnconfirmed: rarely(4),
    }),
    { minLength: 2, maxLength: 5, size: 'max' },
  ),
  conspirators: fc.array(
    fc.record({
      kind: fc.constantFrom(
        ...SESSIONS,
        'api_key',
        'api_key',
        ...TOKENS,
        'oauth_client',
        'scim_token',
        'setup_link',
        'impersonation',
      ),
      organization: index,
      permissions,
      /** The organization that manages the user. */
      managedAt: fc.option(index, { freq: 3 }),
      signedInAt: index,
      isStale: rarely(4),
      hasOneFactor: rarely(3),
      isBorrowing: rarely(4),
      isInGroup: rarely(4),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});
export type PowerGraph = typeof powerGraph extends fc.Arbitrary<infer T> ? T : never;
