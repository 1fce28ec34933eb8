import type { OpenAPIObject } from '@nestjs/swagger';
import {
  AUTHORIZATION_FIELDS,
  DEVICE_FIELDS,
  LOGOUT_FIELDS,
  PUSHED_FIELDS,
  TOKEN_FIELDS,
  TOKEN_LOOKUP_FIELDS,
} from './oauth-fields.js';
import {
  CLIENT_SECURITY,
  formOf,
  HOW_CLIENTS_AUTHENTICATE,
  INVALID_CLIENT,
  json,
  operation,
  page,
  parametersOf,
  type Part,
  RATE_LIMIT,
  redirect,
  reference,
} from './oauth-operation-parts.js';
import { OAUTH_SCHEMAS } from './oauth-schemas.js';

const INVALID_PAGE = page('A page for the user: the request is invalid, and cannot be answered to the application.');

const AUTHORIZE = `Navigate the browser of the user here to sign the user in. The browser continues to the sign-in page, to a page that asks the user, or with \`code\`, \`state\` and \`iss\` to the \`redirect_uri\`. Errors are returned to the \`redirect_uri\`, too (\`error\`, \`error_description\`).`;
const LOGOUT = `Navigate the browser of the user here to end the session (OpenID Connect RP-Initiated Logout). The browser continues to the \`post_logout_redirect_uri\` or to the sign-in page.`;
const FORM = 'The form continues as a GET request with the same parameters.';
const REDIRECT_FORM = redirect('The browser continues with a GET request.');

const authorizePath = {
  get: operation('authorize', 'Sign a user in to an application', AUTHORIZE, {
    parameters: parametersOf(AUTHORIZATION_FIELDS),
    responses: {
      200: page('A page that continues by itself, for example with `response_mode=form_post`.'),
      303: redirect('The browser continues to a page of this service or to the application.'),
      400: INVALID_PAGE,
    },
  }),
  post: operation('authorizeWithForm', 'Sign a user in to an application, with a form', `${AUTHORIZE} ${FORM}`, {
    requestBody: formOf(AUTHORIZATION_FIELDS),
    responses: { 303: REDIRECT_FORM, 400: INVALID_PAGE },
  }),
};

const logoutPath = {
  get: operation('logOut', 'Sign a user out of an application', LOGOUT, {
    parameters: parametersOf(LOGOUT_FIELDS),
    responses: {
      200: page('A page that continues by itself.'),
      303: redirect('The browser continues to the application, or to a page that asks the user.'),
      400: INVALID_PAGE,
    },
  }),
  post: operation('logOutWithForm', 'Sign a user out of an application, with a form', `${LOGOUT} ${FORM}`, {
    requestBody: formOf(LOGOUT_FIELDS),
    responses: { 303: REDIRECT_FORM, 400: INVALID_PAGE },
  }),
};

/** A proof that the client has a key, to which the tokens are bound. */
const DPOP_PROOF = {
  name: 'DPoP',
  in: 'header',
  required: false,
  description:
    'Proof that the client has the key to which the tokens are to be bound, or are bound (RFC 9449). Required of clients with `dpopBoundAccessTokens`.',
  schema: { type: 'string', maxLength: 8192, example: 'eyJ0eXAiOiJkcG9wK2p3dCJ9.eyJodG0iOiJQT1NUIn0.sig' },
};

const tokenPath = {
  post: operation(
    'requestToken',
    'Request tokens',
    `Exchanges an authorization code, a device code or a refresh token for tokens, or issues an access token to a machine client or to a program that acts on behalf of a user (token exchange, which publishes \`token.exchanged\`). Accepts assertions of identity providers that allow the client (JWT bearer). Publishes \`security.suspicious_activity\` if a code or refresh token is used again, and then ends all tokens of the sign-in.${HOW_CLIENTS_AUTHENTICATE}`,
    {
      security: CLIENT_SECURITY,
      parameters: [DPOP_PROOF],
      requestBody: formOf(TOKEN_FIELDS),
      responses: {
        200: json('The tokens.', 'OAuthTokenResponse'),
        400: json(
          'The request is invalid (`invalid_request`, `invalid_scope`, `invalid_target`, `unsupported_grant_type`, `unauthorized_client`), or the code or refresh token is expired, used or no longer allowed (`invalid_grant`). For a device: the user has not answered (`authorization_pending`) or denied the access (`access_denied`), the device asks too often (`slow_down`), or its code expired (`expired_token`). The DPoP proof is not valid (`invalid_dpop_proof`).',
          'OAuthErrorResponse',
        ),
        401: INVALID_CLIENT,
      },
    },
  ),
};

const pushPath = {
  post: operation(
    'pushAuthorizationRequest',
    'Push an authorization request',
    `Stores the parameters of an authorization request (RFC 9126). Then navigate the browser to \`/oauth/authorize\` with \`client_id\` and the \`request_uri\`, which works once. So the browser neither sees nor changes the parameters.${HOW_CLIENTS_AUTHENTICATE}`,
    {
      security: CLIENT_SECURITY,
      requestBody: formOf(PUSHED_FIELDS),
      responses: {
        201: { ...json('The request was stored.', 'OAuthPushedRequestResponse'), headers: RATE_LIMIT },
        400: json('The request is invalid, as at the authorization endpoint.', 'OAuthErrorResponse'),
        401: INVALID_CLIENT,
      },
    },
  ),
};

const devicePath = {
  post: operation(
    'authorizeDevice',
    'Start a sign-in on a device without a browser',
    `Returns a code that the user enters on the page \`/device\` of this service, in any browser (RFC 8628). Meanwhile the device polls the token endpoint. Errors of the rules for the user, such as a required second factor, are resolved on the page.${HOW_CLIENTS_AUTHENTICATE}`,
    {
      security: CLIENT_SECURITY,
      requestBody: formOf(DEVICE_FIELDS),
      responses: {
        200: json('The codes.', 'OAuthDeviceResponse'),
        400: json(
          'The request is invalid (`invalid_request`, `invalid_scope`, `invalid_target`, `unauthorized_client`).',
          'OAuthErrorResponse',
        ),
        401: INVALID_CLIENT,
      },
    },
  ),
};

const lookupOperation = (operationId: string, summary: string, description: string, success: Part): Part =>
  operation(operationId, summary, description + HOW_CLIENTS_AUTHENTICATE, {
    security: CLIENT_SECURITY,
    requestBody: formOf(TOKEN_LOOKUP_FIELDS),
    responses: {
      200: success,
      400: json('The request is invalid (`invalid_request`, `unsupported_token_type`).', 'OAuthErrorResponse'),
      401: INVALID_CLIENT,
    },
  });

const userinfoOperation = (operationId: string, summary: string): Part =>
  operation(
    operationId,
    summary,
    'Returns the claims that the scopes of the access token allow. The access token must have the scope `openid` and no `resource`. The claims are read anew for each request.',
    {
      security: [{ oauthAccessToken: [] }],
      parameters: [DPOP_PROOF],
      responses: {
        200: json('The claims of the user.', 'OAuthUserinfoResponse'),
        400: json('The request is invalid, for example has two access tokens (`invalid_request`).', 'OAuthErrorResponse'),
        401: json(
          'The access token is missing, invalid, expired, no longer allowed or bound to a key (`invalid_token`), or the proof is not valid (`invalid_dpop_proof`).',
          'OAuthErrorResponse',
        ),
        403: json('The access token lacks a scope (`insufficient_scope`).', 'OAuthErrorResponse'),
      },
    },
  );

const discoveryOperation = (operationId: string, summary: string, standard: string): Part =>
  operation(
    operationId,
    summary,
    `Returns the endpoints and capabilities of this service (${standard}). Both paths return the same document.`,
    {
      responses: {
        200: json('The discovery document.', 'OAuthDiscoveryResponse'),
        400: json('The request is malformed (`invalid_request`).', 'OAuthErrorResponse'),
      },
    },
  );

const REGISTER = `Registers a client without an administrator (RFC 7591), if an organization allows it with the setting \`dynamicClientRegistration\`. Nothing is stored: the \`client_id\` contains the metadata, encrypted, and expires after an hour unless a user allows the client something. Clients are public (\`token_endpoint_auth_method\` is \`none\`) and use PKCE. The client reads, changes and deletes its registration at \`registration_client_uri\` (RFC 7592). At most 100 registrations an hour from an address.`;

const registerPath = {
  post: operation('registerClient', 'Register a client', REGISTER, {
    requestBody: { required: true, content: { 'application/json': { schema: reference('OAuthRegistrationRequest') } } },
    responses: {
      201: { ...json('The registered client.', 'OAuthRegistrationResponse'), headers: RATE_LIMIT },
      400: json('The metadata is invalid (`invalid_client_metadata`, `invalid_redirect_uri`).', 'OAuthErrorResponse'),
      403: json('No organization allows it (`access_denied`).', 'OAuthErrorResponse'),
    },
  }),
};

const PATHS: Readonly<Record<string, Part>> = {
  '/oauth/authorize': authorizePath,
  '/oauth/token': tokenPath,
  '/oauth/device': devicePath,
  '/oauth/par': pushPath,
  '/oauth/revoke': {
    post: lookupOperation(
      'revokeToken',
      'Revoke a token',
      'Ends all tokens of the sign-in of an access token or refresh token (RFC 7009). Unknown tokens are ignored. JWTs can’t be revoked.',
      { description: 'The token is not valid any more.' },
    ),
  },
  '/oauth/introspect': {
    post: lookupOperation(
      'introspectToken',
      'Inspect a token',
      'Returns whether a token is valid now, and for whom (RFC 7662). Clients can inspect their own tokens and the tokens for their resources. JWTs can’t be inspected; verify them with the keys.',
      json('Whether the token is valid.', 'OAuthIntrospectionResponse'),
    ),
  },
  '/oauth/userinfo': {
    get: userinfoOperation('getUserinfo', 'Get the claims of a user'),
    post: userinfoOperation('getUserinfoWithPost', 'Get the claims of a user, with POST'),
  },
  '/oauth/logout': logoutPath,
  '/oauth/register': registerPath,
  '/.well-known/openid-configuration': {
    get: discoveryOperation('getOpenidConfiguration', 'Get the OpenID Connect configuration', 'OpenID Connect Discovery'),
  },
  '/.well-known/oauth-authorization-server': {
    get: discoveryOperation('getAuthorizationServer', 'Get the authorization server metadata', 'RFC 8414'),
  },
  '/.well-known/oauth-protected-resource': {
    get: operation(
      'getProtectedResource',
      'Get the metadata of the API as a protected resource',
      'Says which authorization server issues tokens for this API, and its scopes (RFC 9728). Responses with status 401 name this address.',
      { responses: { 200: json('The metadata.', 'OAuthProtectedResourceResponse') } },
    ),
  },
};

const SECURITY_SCHEMES = {
  clientSecretBasic: {
    type: 'http',
    scheme: 'basic',
    description: 'ID and secret of an OAuth client, both form-urlencoded (RFC 6749, 2.3.1).',
  },
  oauthAccessToken: { type: 'http', scheme: 'bearer', description: 'An access token of `/oauth/token`.' },
};

/** Adds the endpoints of OAuth and OpenID Connect, which are no operations of the API: they have forms and errors of their own. */
export function addOAuthOperations({ paths, components }: OpenAPIObject): void {
  Object.assign(paths, structuredClone(PATHS));
  Object.assign(components!.schemas!, OAUTH_SCHEMAS);
  Object.assign(components!.securitySchemes!, SECURITY_SCHEMES);
}
