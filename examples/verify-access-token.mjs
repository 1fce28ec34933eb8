// A service that serves those alone who bring an access token of the identity service. Needs `npm install jose`.
//   AUDIENCE=https://app.example.com node examples/verify-access-token.mjs
import { createServer } from 'node:http';
import { createRemoteJWKSet, jwtVerify } from 'jose';

const {
  IDENTITY_URL: identityUrl = 'http://localhost:3000',
  ISSUER: issuer = identityUrl,
  AUDIENCE: audience = 'https://app.example.com',
  VERIFIER_PORT: port = '4001',
} = process.env;

// Fetches the public keys when it first needs them, keeps them, and asks again when a token names one that it does not know.
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', identityUrl));

/** The claims of a token that is genuine, meant for this service and not over; throws for any other. */
async function verifyAccessToken(token) {
  const { payload } = await jwtVerify(token, keys, { issuer, audience, algorithms: ['ES256'], typ: 'at+jwt' });
  return payload;
}

/** Whether the token is at fault; otherwise the keys could not be fetched, and the caller may try again. */
const isRefusal = ({ code }) => /^ERR_(?:JWT_|JWS_|JOSE_ALG_NOT_ALLOWED|JWKS_(?:NO|MULTIPLE)_MATCHING_KEY)/.test(code);

async function greeting({ headers }) {
  const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return [401, 'Bring an access token.'];
  try {
    const { sub, org } = await verifyAccessToken(token);
    return [200, `Hello ${sub} of ${org}`];
  } catch (error) {
    return isRefusal(error) ? [401, 'This token is not for here, or over.'] : [503, 'Try again.'];
  }
}

createServer(async (request, response) => {
  const [status, text] = await greeting(request);
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
}).listen(Number(port), () => console.log(`Verifying tokens for ${audience} on port ${port}`));
