// Signs users in from a page without a server. Needs `npm install openid-client` and a bundler, or an import map.
import * as openid from 'openid-client';

const { identityUrl, clientId } = document.documentElement.dataset;
const redirectUri = location.origin + location.pathname;
// Only for tests on one machine. Without this option, the issuer must have https.
const options = identityUrl.startsWith('http:') ? { execute: [openid.allowInsecureRequests] } : {};
const client = await openid.discovery(new URL(identityUrl), clientId, undefined, openid.None(), options);

async function signIn() {
  const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  sessionStorage.setItem('checks', JSON.stringify({ pkceCodeVerifier, expectedState }));
  location.href = openid.buildAuthorizationUrl(client, {
    redirect_uri: redirectUri,
    scope: 'openid profile email organization',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
  });
}

/** Returns the claims of the user and the tokens, or undefined if nobody has signed in. */
async function finishSignIn() {
  const address = new URL(location.href);
  if (!address.searchParams.has('state')) return undefined;
  history.replaceState(null, '', redirectUri); // The code works once.
  const tokens = await openid.authorizationCodeGrant(client, address, JSON.parse(sessionStorage.getItem('checks')));
  return { user: tokens.claims(), tokens }; // Keep the tokens in memory only.
}

const signedIn = await finishSignIn();
if (!signedIn) await signIn();
else document.body.textContent = `Hello ${signedIn.user.email} of ${signedIn.user.org_name}`;
