import { Injectable } from '@nestjs/common';
import { hasPermission, permissionsAt, type OrganizationScope, type RequestContext } from '#platform/common';
import { roleNameOf } from '#directory/roles';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { Standing } from './standing.service.js';
import { type ClaimedUser, UserClaimsQuery } from './user-claims.query.js';

export type Claims = Record<string, unknown>;

/** The claims of each scope of OpenID Connect. */
export const CLAIMS_OF_SCOPES = {
  openid: ['sub', 'org_id', 'acr', 'amr', 'auth_time'],
  profile: ['name', 'given_name', 'family_name', 'picture', 'locale', 'updated_at'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
  organization: ['org_name', 'org_path', 'roles'],
};

/** Says who a user is and what the user can do, computed anew for each token. */
@Injectable()
export class ClaimsService {
  constructor(private readonly userClaims: UserClaimsQuery) {}

  /** Returns the claims of a user for ID tokens and the userinfo endpoint. The library keeps those that the scopes allow. */
  async ofUser(ctx: RequestContext, standing: Standing): Promise<Claims> {
    const { grant } = standing;
    const user = standing.profile ?? (await this.userClaims.findUser(ctx, { tenantId: grant.userTenantId, id: grant.userId }));
    if (!user) return { sub: grant.userId };
    return { sub: grant.userId, ...claimsOf(user), ...ofOrganization(standing) };
  }

  /**
   * Returns the claims of an access token for an API. `permissions` are the scopes of the token that the user has as permissions in the
   * organization now, so never more than the user, the consent and the client allow.
   */
  ofAccessToken(standing: Standing, scope: string): Claims {
    const { organization, user } = standing;
    const held = permissionsAt({ kind: 'user', permissions: [], grants: user.grants }, organization);
    const permissions = scopesOf(scope).filter((name) => hasPermission(held, name));
    return { ...ofOrganization(standing), permissions };
  }

  /** Returns the claims of an access token that a client got for itself. */
  ofClient({ organization }: KnownClient, scope: string): Claims {
    const path = organization ? { org_id: organization.id, org_name: organization.name, org_path: pathOf(organization) } : {};
    return { ...path, permissions: scopesOf(scope) };
  }
}

/** Roles are those in the organization and its ancestors, also through groups, but not those of break-glass access. */
function ofOrganization({ organization, user }: Standing): Claims {
  const path = pathOf(organization);
  const held = user.roles.filter(({ organizationId, temporary }) => !temporary && path.includes(organizationId));
  const roles = [...new Set(held.map(({ roleId, roleName }) => roleNameOf(roleId, roleName)))].toSorted();
  return { org_id: organization.id, org_name: organization.name, org_path: path, roles };
}

export const scopesOf = (scope: string | undefined): string[] => (scope ?? '').split(' ').filter(Boolean);

/** Returns the ids from the root organization to this one. */
const pathOf = ({ ancestorIds, id }: OrganizationScope): string[] => [...ancestorIds, id];

function claimsOf(user: ClaimedUser): Claims {
  const { email, emailVerified, firstName, lastName, displayName, picture, phoneNumber, phoneVerified, locale, updatedAt } = user;
  const fullName = [firstName, lastName].filter(Boolean).join(' ');
  const claims = {
    name: displayName ?? (fullName || email),
    given_name: firstName,
    family_name: lastName,
    picture,
    locale,
    updated_at: Math.floor(updatedAt.getTime() / 1_000),
    email,
    email_verified: emailVerified,
    phone_number: phoneNumber,
    phone_number_verified: phoneNumber === null ? null : phoneVerified,
  };
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}
