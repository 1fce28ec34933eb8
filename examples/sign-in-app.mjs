// An application that signs its users in with the identity service. Needs `npm install express openid-client`.
//   CLIENT_ID=app_… CLIENT_SECRET=apps_… node examples/sign-in-app.mjs
// oxlint-disable oxc/no-async-endpoint-handlers -- Express 5 forwards rejections to the error handler
import { randomUUID } from 'node:crypto';
import express from 'express';
import * as openid from 'openid-client';

const { IDENTITY_URL = 'http://localhost:3000', APP_PORT = '4002', CLIENT_ID, CLIENT_SECRET } = process.env;
const { APP_URL = `http://localhost:${APP_PORT}` } = process.env;

// Only for tests on one machine. Without this option, the issuer must have https.
const options = IDENTITY_URL.startsWith('http:') ? { execute: [openid.allowInsecureRequests] } : {};
const app = express();

// The sessions of this application. In production, use `express-session` with a store that all processes share.
const sessions = new Map();
app.use((request, response, next) => {
  request.session = sessions.get(/(?:^|; )app=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1]) ?? {};
  response.startSession = (session) => {
    const id = randomUUID();
    sessions.set(id, session);
    response.cookie('app', id, { httpOnly: true, sameSite: 'lax', secure: APP_URL.startsWith('https:') });
  };
  next();
});

const authentication = openid.ClientSecretBasic(CLIENT_SECRET);
const client = await openid.discovery(new URL(IDENTITY_URL), CLIENT_ID, undefined, authentication, options);

app.get('/sign-in', async (request, response) => {
  const [pkceCodeVerifier, expectedState] = [openid.randomPKCECodeVerifier(), openid.randomState()];
  response.startSession({ checks: { pkceCodeVerifier, expectedState } });
  const address = openid.buildAuthorizationUrl(client, {
    redirect_uri: `${APP_URL}/callback`,
    scope: 'openid profile email organization',
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    ...request.query, // organization, prompt, acr_values
  });
  response.redirect(address.href);
});

app.get('/callback', async (request, response) => {
  const tokens = await openid.authorizationCodeGrant(client, new URL(request.originalUrl, APP_URL), request.session.checks);
  response.startSession({ user: tokens.claims(), tokens });
  response.redirect('/');
});

app.get('/sign-out', (request, response) => {
  const hint = request.session.tokens?.id_token;
  response.startSession({});
  const parameters = { post_logout_redirect_uri: `${APP_URL}/`, ...(hint && { id_token_hint: hint }) };
  const address = openid.buildEndSessionUrl(client, parameters);
  response.redirect(address.href);
});

app.get('/', ({ session: { user } }, response) => {
  if (!user) return response.send('<a href="/sign-in">Sign in</a>');
  const switchLink = '<a href="/sign-in?prompt=select_account">Switch organization</a>';
  const proveLink = '<a href="/sign-in?acr_values=aal2">Confirm with a second factor</a>';
  const facts = JSON.stringify({ email: user.email, organization: user.org_name, roles: user.roles, acr: user.acr });
  response.send(`<pre>${escapeHtml(facts)}</pre>${switchLink} ${proveLink} <a href="/sign-out">Sign out</a>`);
});

// The user denied the access, the code is too old, or the user came back to an old tab.
app.use((error, _request, response, _next) =>
  response.status(400).send(`<p>${escapeHtml(error.error ?? error.code)}</p><a href="/sign-in">Sign in</a>`),
);

const escapeHtml = (text) => String(text).replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

app.listen(Number(APP_PORT), () => console.log(`Open ${APP_URL}`));
