import type { KoaContext, ResourceServer } from './library.js';

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

/** Issues an access token of the client of a request for an API. Returns the value of the token. */
export function issueAccessToken(
  { provider, client }: KoaContext['oidc'],
  server: ResourceServer,
  scopes: readonly string[],
  { accountId, grantId, sessionUid, gty, seconds }: TokenFor,
): Promise<string> {
  const token = new provider.AccessToken({ client, accountId, grantId, sessionUid, gty, expiresIn: seconds });
  token.resourceServer = new provider.ResourceServer(server.audience, server);
  token.scope = scopes.join(' ');
  return token.save();
}
