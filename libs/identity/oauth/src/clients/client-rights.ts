import { constantTimeEqual, hashToken } from '#platform/crypto';
import type { KnownClient } from './oauth-client.query.js';

/** Returns the valid secret of a client that a text is. */
export function secretOf(
  { secrets }: Pick<KnownClient, 'secrets'>,
  text: string,
  now: Date,
): KnownClient['secrets'][number] | undefined {
  const hash = hashToken(text).toString('base64');
  const valid = secrets.filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > now);
  return valid.find((each) => constantTimeEqual(each.hash, hash));
}

/** Returns whether a client can inspect a token: a resource server tokens for itself, a client its own. `issuer` is the API of this service. */
export function canInspect(
  { clientId: id, resourceScopes }: Pick<KnownClient, 'clientId' | 'resourceScopes'>,
  { clientId, aud }: { readonly clientId: string; readonly aud?: string },
  issuer: string,
): boolean {
  return id === clientId || (aud !== undefined && aud !== issuer && resourceScopes[aud] !== undefined);
}

/** Returns the scopes of OpenID Connect that the user allowed and the client can still have. */
export const allowedScopes = (grant: { readonly scopes: readonly string[] }, client: Pick<KnownClient, 'scopes'>): string[] =>
  grant.scopes.filter((scope) => client.scopes.includes(scope));
