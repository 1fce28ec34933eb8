/** A query parameter or form field of an OAuth endpoint. */
export interface OAuthField {
  readonly name: string;
  readonly description: string;
  readonly required?: true;
  readonly schema: Readonly<Record<string, unknown>>;
}

const text = (example: string, maxLength = 2048) => ({ type: 'string', maxLength, example });
const choice = (...values: string[]) => ({ type: 'string', enum: values, example: values[0] });

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ACCESS_TOKEN_TYPE = 'urn:ietf:params:oauth:token-type:access_token';
const CLIENT_ID_EXAMPLE = 'app_01kf2bav4hf7r8v2m5n9q1c3ek';
const REDIRECT_URI_EXAMPLE = 'https://app.example.com/callback';

const STATE: OAuthField = {
  name: 'state',
  description: 'Value that the redirect to the application returns. Bind it to the browser.',
  schema: text('af0ifjsldkj'),
};

const UI_LOCALES: OAuthField = {
  name: 'ui_locales',
  description: 'Languages for the pages, in order of preference, separated by spaces.',
  schema: text('de en', 255),
};

/** How the user must have authenticated. */
const AUTHENTICATION_FIELDS: readonly OAuthField[] = [
  {
    name: 'max_age',
    description: 'Seconds after which the user must sign in again.',
    schema: { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1, example: 300 },
  },
  {
    name: 'acr_values',
    description: 'Required authentication context: `aal2` requires a second factor or a passkey (RFC 9470).',
    schema: text('aal2', 255),
  },
];

export const AUTHORIZATION_FIELDS: readonly OAuthField[] = [
  { name: 'client_id', required: true, description: 'ID of the OAuth client.', schema: text(CLIENT_ID_EXAMPLE, 255) },
  { name: 'response_type', required: true, description: 'Always `code`.', schema: choice('code') },
  {
    name: 'redirect_uri',
    required: true,
    description: 'A redirect URI of the client, exactly as registered. For native clients, loopback addresses can have any port.',
    schema: text(REDIRECT_URI_EXAMPLE),
  },
  {
    name: 'code_challenge',
    required: true,
    description: 'PKCE: SHA-256 of the `code_verifier`, in base64url (RFC 7636).',
    schema: text('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', 128),
  },
  { name: 'code_challenge_method', required: true, description: 'Always `S256`.', schema: choice('S256') },
  {
    name: 'scope',
    description:
      'Scopes, separated by spaces: `openid`, `profile`, `email`, `phone`, `organization`, `offline_access`, and the scopes of `resource`.',
    schema: text('openid profile email organization'),
  },
  STATE,
  { name: 'nonce', description: 'Value that the ID token returns in the claim `nonce`.', schema: text('n-0S6_WzA2Mj') },
  {
    name: 'resource',
    description: 'Identifier of the API for which the access token is (RFC 8707). It becomes the `aud` of the token.',
    schema: text('https://api.example.com'),
  },
  {
    name: 'organization',
    description: 'ID or slug of the organization of the sign-in. Without it, a page asks users with several organizations.',
    schema: text('acme', 255),
  },
  {
    name: 'prompt',
    description:
      'What the user must do again, separated by spaces: `login`, `consent`, `select_account` or `create`. With `none`, the request fails instead of showing a page.',
    schema: text('login', 255),
  },
  ...AUTHENTICATION_FIELDS,
  { name: 'login_hint', description: 'Email address that the sign-in page shows.', schema: text('jane.doe@example.com', 320) },
  {
    name: 'id_token_hint',
    description: 'ID token of the user who is expected to be signed in. Another user must sign in again.',
    schema: text('eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiIifQ.sig', 8192),
  },
  { name: 'claims', description: 'Requested claims, as JSON (OpenID Connect Core, 5.5).', schema: text('{"id_token":{}}', 8192) },
  UI_LOCALES,
  {
    name: 'request_uri',
    description: 'Address of a request that was pushed to `/oauth/par`. Only `client_id` is needed beside it.',
    schema: text('urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c', 255),
  },
  {
    name: 'response_mode',
    description: 'How the application receives the code. `query` is the default.',
    schema: choice('query', 'fragment', 'form_post'),
  },
];

/** The fields with which clients authenticate, unless they send HTTP Basic authentication. */
const CLIENT_FIELDS: readonly OAuthField[] = [
  {
    name: 'client_id',
    description: 'ID of the client. Required without HTTP Basic authentication.',
    schema: text(CLIENT_ID_EXAMPLE, 255),
  },
  {
    name: 'client_secret',
    description: 'Secret of the client, if its `authentication` is `client_secret_post`.',
    schema: text('ocs_a1b2c3d4', 255),
  },
  {
    name: 'client_assertion_type',
    description: 'Type of `client_assertion`.',
    schema: choice('urn:ietf:params:oauth:client-assertion-type:jwt-bearer'),
  },
  {
    name: 'client_assertion',
    description:
      'JWT that the client signed with its private key, if its `authentication` is `private_key_jwt` (RFC 7523). Each JWT works once.',
    schema: text('eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiIifQ.sig', 8192),
  },
];

export const TOKEN_FIELDS: readonly OAuthField[] = [
  {
    name: 'grant_type',
    required: true,
    description:
      '`authorization_code` exchanges a code, `refresh_token` renews tokens, `client_credentials` issues a token to a machine client, a device asks with its grant type (RFC 8628) whether the user has allowed the access, token exchange (RFC 8693) issues a token with which a client calls another API on behalf of the same user, and JWT bearer (RFC 7523) accepts an assertion of an identity provider (ID-JAG).',
    schema: choice('authorization_code', 'refresh_token', 'client_credentials', DEVICE_CODE, TOKEN_EXCHANGE, JWT_BEARER),
  },
  {
    name: 'device_code',
    description: 'For a device: the code of `/oauth/device`. It works once, within 10 minutes. Ask every 5 seconds.',
    schema: text('odc_a1b2c3d4', 255),
  },
  {
    name: 'code',
    description: 'For `authorization_code`: the code from the redirect. It works once, within 60 seconds.',
    schema: text('oac_a1b2c3d4', 255),
  },
  {
    name: 'redirect_uri',
    description: 'For `authorization_code`: the `redirect_uri` of the authorization request.',
    schema: text(REDIRECT_URI_EXAMPLE),
  },
  {
    name: 'code_verifier',
    description: 'For `authorization_code`: the secret whose SHA-256 is the `code_challenge`.',
    schema: text('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk', 128),
  },
  {
    name: 'refresh_token',
    description: 'For `refresh_token`: the token to exchange. It works once.',
    schema: text('ort_a1b2c3d4', 255),
  },
  {
    name: 'scope',
    description:
      'For `client_credentials`: the requested scopes. For `refresh_token`: fewer scopes than the user allowed. For token exchange: scopes that the `subject_token` has; by default all that the client can have for the API.',
    schema: text('invoices:read'),
  },
  {
    name: 'resource',
    description: 'Identifier of the API for which the access token is. Required for `client_credentials` and token exchange.',
    schema: text('https://api.example.com'),
  },
  {
    name: 'subject_token',
    description:
      'For token exchange: an access token of this service for an API of the client (a resource in its `resources`), or an own access token of the client.',
    schema: text('eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiIifQ.sig', 8192),
  },
  {
    name: 'subject_token_type',
    description: 'For token exchange: the type of `subject_token`.',
    schema: choice(ACCESS_TOKEN_TYPE),
  },
  { name: 'audience', description: 'For token exchange: the same as `resource`.', schema: text('https://api.example.com') },
  {
    name: 'assertion',
    description: 'For JWT bearer: a JWT that an identity provider of the organization signed for the client. Each works once.',
    schema: text('eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiIifQ.sig', 8192),
  },
  {
    name: 'organization',
    description: 'For JWT bearer: ID or slug of the organization of the user. By default, the organization of the client.',
    schema: text('acme', 255),
  },
  {
    name: 'requested_token_type',
    description: 'For token exchange: the type of the new token. Always an access token.',
    schema: choice(ACCESS_TOKEN_TYPE),
  },
  ...CLIENT_FIELDS,
];

/** The fields of a pushed authorization request: those of the address, and how the client authenticates. */
export const PUSHED_FIELDS: readonly OAuthField[] = [
  ...AUTHORIZATION_FIELDS.filter(({ name }) => name !== 'client_id' && name !== 'request_uri'),
  ...CLIENT_FIELDS,
];

export const DEVICE_FIELDS: readonly OAuthField[] = [
  {
    name: 'scope',
    description: 'Requested scopes, separated by spaces: of OpenID Connect, and of the `resource`.',
    schema: text('openid offline_access'),
  },
  {
    name: 'resource',
    description: 'Identifier of the API for which the access token is. Without it, the token is for the userinfo endpoint.',
    schema: text('https://api.example.com'),
  },
  {
    name: 'organization',
    description: 'ID or slug of the organization in which the device acts. Without it, the user chooses.',
    schema: text('acme', 63),
  },
  ...AUTHENTICATION_FIELDS,
  ...CLIENT_FIELDS,
];

/** The fields of the revocation and introspection endpoints. */
export const TOKEN_LOOKUP_FIELDS: readonly OAuthField[] = [
  { name: 'token', required: true, description: 'Access token or refresh token.', schema: text('oat_a1b2c3d4', 8192) },
  {
    name: 'token_type_hint',
    description: 'Kind of the token. Another kind is found, too.',
    schema: choice('access_token', 'refresh_token'),
  },
  ...CLIENT_FIELDS,
];

export const LOGOUT_FIELDS: readonly OAuthField[] = [
  {
    name: 'id_token_hint',
    description: 'ID token of the user, which can be expired. Without it, a page asks the user.',
    schema: text('eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiIifQ.sig', 8192),
  },
  {
    name: 'client_id',
    description: 'ID of the client. Required for `post_logout_redirect_uri` without `id_token_hint`.',
    schema: text(CLIENT_ID_EXAMPLE, 255),
  },
  {
    name: 'post_logout_redirect_uri',
    description: 'A post-logout redirect URI of the client, exactly as registered.',
    schema: text('https://app.example.com/'),
  },
  STATE,
  UI_LOCALES,
];
