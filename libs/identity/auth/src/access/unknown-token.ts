/** Longer claims of a token are not shown. */
const MAX_SHOWN_LENGTH = 100;

/** Returns why a token is rejected that has the form of no credential, as far as its form tells. Does not verify the token. */
export function unknownTokenProblem(token: string, baseUrl: string): string {
  if (token.startsWith('whsec_'))
    return 'This is the secret of a webhook, which verifies deliveries. Send an API key or a session token.';
  if (token.includes('_sk_')) return 'This API key is incomplete or mistyped, because its checksum is wrong. Copy the whole key.';
  const claims = claimsOf(token);
  if (!claims)
    return 'The token is neither an API key nor a session token of this service. Check that you copied the whole token.';
  const advice = `Send an API key, a session token, or an OAuth access token that was requested with resource=${baseUrl}.`;
  return claims['iss'] === baseUrl
    ? `This token is a JWT that this service issued for ${shown(claims['aud'])}. This API does not accept it. ${advice}`
    : `This token is a JWT of ${shown(claims['iss'])}, not of this service. ${advice}`;
}

const shown = (claim: unknown): string => (JSON.stringify(claim) ?? 'nobody').slice(0, MAX_SHOWN_LENGTH);

/** Returns the claims of a JWT, or undefined for a token of another form. */
function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as unknown;
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
