import type { KoaContext, ResourceServer } from './library.js';
import { currentRequest } from './oauth-request.js';

/** For whom an access token is, and for how long. */
interface TokenFor {
  /** The id of the user, or of the machine client that a program acts for. */
  readonly accountId: string;
  readonly grantId?: string | undefined;
  readonly sessionUid?: string | undefined;
  /** The grant type in the words of the library. */
  readonly gty: string;
  readonly seconds: number;
}

/** The members of a response of the token endpoint that each access token has. */
interface IssuedToken {
  readonly access_token: string;
  readonly token_type: 'Bearer' | 'DPoP';
  readonly expires_in: number;
  readonly scope: string;
}

/** Issues an access token of the client of a request for an API, bound to the key of the request if there is one. */
export async function issueAccessToken(
  { provider, client }: KoaContext['oidc'],
  server: ResourceServer,
  scopes: readonly string[],
  { accountId, grantId, sessionUid, gty, seconds }: TokenFor,
): Promise<IssuedToken> {
  const { proofKey } = currentRequest();
  const token = new provider.AccessToken({ client, accountId, grantId, sessionUid, gty, expiresIn: seconds });
  token.resourceServer = new provider.ResourceServer(server.audience, server);
  token.scope = scopes.join(' ');
  if (proofKey !== undefined) token.setThumbprint('jkt', proofKey);
  return {
    access_token: await token.save(),
    token_type: proofKey === undefined ? 'Bearer' : 'DPoP',
    expires_in: seconds,
    scope: token.scope,
  };
}
