/** The values that the samples contain. */
export interface SampleValues {
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  /** Identifier and scopes of the first API of the application. */
  readonly resource: string;
  readonly scope: string;
}

type Sample = (values: SampleValues) => string;

const SCOPE = 'openid profile email organization';

const nextJs: Sample = ({ issuer, clientId }) => `// auth.ts (npm install next-auth@beta)
// Redirect URI: https://app.example.com/api/auth/callback/identity
import NextAuth from 'next-auth';

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'identity',
      name: 'Identity',
      type: 'oidc',
      issuer: '${issuer}',
      clientId: '${clientId}',
      clientSecret: process.env.CLIENT_SECRET,
      checks: ['pkce', 'state'],
      authorization: { params: { scope: '${SCOPE}' } },
    },
  ],
});

// app/api/auth/[...nextauth]/route.ts
import { handlers } from '@/auth';
export const { GET, POST } = handlers;
`;

const express: Sample = ({ issuer, clientId, redirectUri }) => `// npm install express express-session openid-client
import express from 'express';
import session from 'express-session';
import * as openid from 'openid-client';

const callback = '${redirectUri}';
const secret = openid.ClientSecretBasic(process.env.CLIENT_SECRET);
const config = await openid.discovery(new URL('${issuer}'), '${clientId}', undefined, secret);
const app = express();
app.use(session({ secret: process.env.SESSION_SECRET, resave: false, saveUninitialized: false }));

app.get('/sign-in', async (request, response) => {
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  request.session.checks = { pkceCodeVerifier, expectedState };
  const address = openid.buildAuthorizationUrl(config, {
    redirect_uri: callback,
    scope: '${SCOPE}',
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  });
  response.redirect(address.href);
});

app.get(new URL(callback).pathname, async (request, response) => {
  const address = new URL(request.originalUrl, callback);
  const tokens = await openid.authorizationCodeGrant(config, address, request.session.checks);
  request.session.user = tokens.claims();
  response.redirect('/');
});
`;

const spring: Sample = ({ issuer, clientId }) => `# application.yml
# Redirect URI: https://app.example.com/login/oauth2/code/identity
# Set the ID token algorithm of the application to RS256, the default of Spring.
spring:
  security:
    oauth2:
      client:
        registration:
          identity:
            client-id: ${clientId}
            client-secret: \${CLIENT_SECRET}
            scope: ${SCOPE.replaceAll(' ', ', ')}
        provider:
          identity:
            issuer-uri: ${issuer}

// SecurityConfiguration.java
@Bean
SecurityFilterChain security(HttpSecurity http, ClientRegistrationRepository clients) throws Exception {
  var requests = new DefaultOAuth2AuthorizationRequestResolver(clients, "/oauth2/authorization");
  requests.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
  return http
    .authorizeHttpRequests(paths -> paths.anyRequest().authenticated())
    .oauth2Login(login -> login.authorizationEndpoint(each -> each.authorizationRequestResolver(requests)))
    .build();
}
`;

const django: Sample = ({ issuer, clientId, redirectUri }) => `# pip install authlib requests
# settings.py
AUTHLIB_OAUTH_CLIENTS = {
    "identity": {"client_id": "${clientId}", "client_secret": os.environ["CLIENT_SECRET"]},
}

# views.py
from authlib.integrations.django_client import OAuth
from django.shortcuts import redirect

oauth = OAuth()
oauth.register(
    "identity",
    server_metadata_url="${issuer}/.well-known/openid-configuration",
    client_kwargs={"scope": "${SCOPE}", "code_challenge_method": "S256"},
)

def sign_in(request):
    return oauth.identity.authorize_redirect(request, "${redirectUri}")

def callback(request):
    token = oauth.identity.authorize_access_token(request)
    request.session["user"] = token["userinfo"]
    return redirect("/")
`;

const grafana: Sample = ({ issuer, clientId }) => `# grafana.ini
# Redirect URI: https://grafana.example.com/login/generic_oauth
[auth.generic_oauth]
enabled = true
name = Identity
client_id = ${clientId}
client_secret = $__env{CLIENT_SECRET}
scopes = ${SCOPE}
auth_url = ${issuer}/oauth/authorize
token_url = ${issuer}/oauth/token
api_url = ${issuer}/oauth/userinfo
use_pkce = true
login_attribute_path = email
role_attribute_path = contains(roles[*], 'admin') && 'Admin' || 'Viewer'
`;

const oauth2Proxy: Sample = ({ issuer, clientId }) => `# oauth2-proxy.cfg
# Redirect URI: https://app.example.com/oauth2/callback
provider = "oidc"
oidc_issuer_url = "${issuer}"
client_id = "${clientId}"
client_secret_file = "/run/secrets/client_secret"
redirect_url = "https://app.example.com/oauth2/callback"
code_challenge_method = "S256"
scope = "${SCOPE}"
oidc_groups_claim = "roles"
email_domains = ["*"]
upstreams = ["http://127.0.0.1:8080"]
# Also set OAUTH2_PROXY_COOKIE_SECRET.
`;

const browser: Sample = ({ issuer, clientId, redirectUri }) => `// npm install oidc-client-ts
import { UserManager } from 'oidc-client-ts';

export const users = new UserManager({
  authority: '${issuer}',
  client_id: '${clientId}',
  redirect_uri: '${redirectUri}',
  scope: '${SCOPE}',
});

if (new URLSearchParams(window.location.search).has('code')) {
  await users.signinCallback();
  window.history.replaceState({}, '', window.location.pathname);
}
if (!(await users.getUser())) await users.signinRedirect();
`;

const android: Sample = ({ issuer, clientId, redirectUri }) => `// implementation("net.openid:appauth:0.11.1")
AuthorizationServiceConfiguration.fetchFromIssuer(Uri.parse("${issuer}")) { service, error ->
  val request = AuthorizationRequest.Builder(service!!, "${clientId}", ResponseTypeValues.CODE, Uri.parse("${redirectUri}"))
    .setScope("${SCOPE} offline_access")
    .build()
  startActivityForResult(AuthorizationService(this).getAuthorizationRequestIntent(request), SIGN_IN)
}
`;

const curl: Sample = ({ issuer, clientId, resource, scope }) => `curl ${issuer}/oauth/token \\
  -u "${clientId}:$CLIENT_SECRET" \\
  -d grant_type=client_credentials \\
  -d resource=${resource} \\
  -d scope='${scope}'
`;

/** The samples by the type of the application. */
export const SAMPLES: Readonly<Record<string, Readonly<Record<string, Sample>>>> = {
  web: {
    'Next.js': nextJs,
    Express: express,
    Spring: spring,
    Django: django,
    Grafana: grafana,
    'oauth2-proxy': oauth2Proxy,
  },
  single_page: { JavaScript: browser },
  native: { Android: android },
  machine: { curl },
};
