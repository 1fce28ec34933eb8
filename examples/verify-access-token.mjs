// A service that requires an access token of the identity service. Needs `npm install jose`.
//   AUDIENCE=https://app.example.com node examples/verify-access-token.mjs
import { createServer } from 'node:http';
import { createRemoteJWKSet, errors, jwtVerify } from 'jose';

const {
  IDENTITY_URL: identityUrl = 'http://localhost:3000',
  ISSUER: issuer = identityUrl,
  AUDIENCE: audience = 'https://app.example.com',
  VERIFIER_PORT: port = '4001',
} = process.env;

// Fetches the public keys on first use, caches them, and fetches them again when a token names an unknown key.
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', identityUrl));

/** Returns the claims of a valid, unexpired token for this service. Throws for any other token. */
async function verifyAccessToken(token) {
  const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['ES256'], typ: 'at+jwt' });
  if (payload.cnf) throw new errors.JWTClaimValidationFailed('A token that is bound to a key needs a proof.', payload, 'cnf');
  return payload;
}

/** Returns whether the token is invalid. Otherwise the keys could not be fetched, and the caller can retry. */
const isInvalidToken = ({ code }) => /^ERR_(?:JWT_|JWS_|JOSE_ALG_NOT_ALLOWED|JWKS_(?:NO|MULTIPLE)_MATCHING_KEY)/.test(code);

async function respond({ headers }) {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return [401, 'An access token is required.'];
  try {
    const { sub, org } = await verifyAccessToken(token);
    return [200, `Hello ${sub} of ${org}`];
  } catch (error) {
    return isInvalidToken(error) ? [401, 'The access token is invalid or expired.'] : [503, 'Retry later.'];
  }
}

createServer(async (request, response) => {
  const [status, text] = await respond(request);
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
}).listen(Number(port), () => console.log(`Verifying tokens for ${audience} on port ${port}`));
