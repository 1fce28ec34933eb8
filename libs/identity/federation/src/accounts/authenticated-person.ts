import { domainOfEmail, type OrganizationScope } from '#platform/common';
import type { SignInProvider } from '#directory/organizations';
import type { ProviderIdentity } from '#directory/users';
import type { IdentityClaims } from '../provider/identity-claims.js';

export interface AuthenticatedPerson {
  readonly provider: SignInProvider;
  /** The organization that the person signs in to. */
  readonly organization: OrganizationScope;
  readonly claims: IdentityClaims;
}

export const identityOf = ({ provider, claims }: AuthenticatedPerson): ProviderIdentity => ({
  tenantId: provider.tenantId,
  identityProviderId: provider.id,
  issuer: provider.issuer,
  subject: claims.subject,
});

/** Returns the email address if the provider has verified it and is trusted for its domain, else null. */
export function trustedEmailOf({ provider, claims: { email, emailVerified } }: AuthenticatedPerson): string | null {
  if (email === null || !emailVerified) return null;
  return provider.trustedDomains.includes(domainOfEmail(email) ?? '') ? email : null;
}
