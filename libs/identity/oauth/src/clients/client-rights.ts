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
  { clientId: id, resourceScopes, audiences }: Pick<KnownClient, 'clientId' | 'resourceScopes' | 'audiences'>,
  { clientId, aud }: { readonly clientId: string; readonly aud?: string },
  issuer: string,
): boolean {
  if (id === clientId) return true;
  return aud !== undefined && aud !== issuer && (resourceScopes[aud] !== undefined || audiences.includes(aud));
}

/**
 * Returns whether a client can exchange an access token: the program behind an API tokens for this API, and a client its own. A program that
 * only calls an API can't, because tokens for the API come to it by mistake or from an attacker.
 */
export const canExchange = (
  { clientId: id, audiences }: Pick<KnownClient, 'clientId' | 'audiences'>,
  { clientId, audience }: { readonly clientId: string; readonly audience: string },
): boolean => id === clientId || audiences.includes(audience);

/** Returns the scopes of OpenID Connect that the user allowed and the client can still have. */
export const allowedScopes = (grant: { readonly scopes: readonly string[] }, client: Pick<KnownClient, 'scopes'>): string[] =>
  grant.scopes.filter((scope) => client.scopes.includes(scope));
