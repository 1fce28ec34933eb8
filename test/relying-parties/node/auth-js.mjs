// A web application that signs its users in with Auth.js: the sample of the dashboard in auth.mjs.
import { ExpressAuth, getSession } from '@auth/express';
import express from 'express';
import { config } from './auth.mjs';

const { APP_URL, ISSUER, PORT } = process.env;
let idToken;
config.secret = 'a secret of the test';
config.trustHost = true;
config.basePath = '/api/auth';
config.callbacks = {
  jwt({ token, account, profile }) {
    idToken = account?.id_token ?? idToken;
    return profile ? { ...token, profile } : token;
  },
  session: ({ session, token }) => ({ ...session, profile: token.profile }),
};

const app = express();
app.use('/api/auth', ExpressAuth(config));
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 handles rejections
app.get('/', async (request, response) => {
  const session = await getSession(request, config);
  if (session) response.json(session.profile);
  else response.redirect('/api/auth/signin');
});
app.get('/sign-out', (_request, response) => {
  const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: `${APP_URL}/signed-out` });
  response.redirect(`${ISSUER}/oauth/logout?${query}`);
});
app.get('/signed-out', (_request, response) => response.send('Signed out'));
app.listen(Number(PORT), '127.0.0.1');
