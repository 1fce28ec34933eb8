type Schema = Record<string, unknown>;

const text = (example: string, description: string): Schema => ({ type: 'string', example, description });
const seconds = (example: number, description: string): Schema => ({ type: 'integer', example, description });
const list = (example: readonly string[], description: string): Schema => ({
  type: 'array',
  items: { type: 'string' },
  example,
  description,
});

const BASE_URL = 'https://id.example.com';
const ORGANIZATION_ID = 'org_01kf0000000000000000000000';
const CLIENT_ID = 'app_01kf2bav4hf7r8v2m5n9q1c3ek';
const USER_ID = 'usr_01kf0000000000000000000000';
const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiIifQ.sig';

const ORGANIZATION_CLAIMS = {
  org_id: text(ORGANIZATION_ID, 'ID of the organization of the sign-in, or of the machine client.'),
  org_name: text('Acme Inc.', 'Name of the organization.'),
  org_path: list([ORGANIZATION_ID], 'IDs of the organizations from the root organization to this one.'),
  roles: list(['admin'], 'Names of the roles of the user in the organization.'),
};

const tokenResponse: Schema = {
  type: 'object',
  required: ['access_token', 'token_type', 'expires_in'],
  properties: {
    access_token: text('oat_a1b2c3d4', 'A JWT (RFC 9068) for APIs of customers, an opaque token otherwise.'),
    token_type: { ...text('Bearer', '`DPoP` for a token that is bound to a key, otherwise `Bearer`.'), enum: ['Bearer', 'DPoP'] },
    expires_in: seconds(300, 'Seconds until the access token expires.'),
    scope: text('openid profile', 'Scopes of the access token, which can be fewer than requested.'),
    issued_token_type: text('urn:ietf:params:oauth:token-type:access_token', 'Only of a token exchange: the type of the token.'),
    id_token: text(JWT, 'Who the user is, for the scope `openid` (OpenID Connect Core, 2).'),
    refresh_token: text('ort_a1b2c3d4', 'Only for clients with the grant type `refresh_token`. Each works once.'),
  },
};

const deviceResponse: Schema = {
  type: 'object',
  required: ['device_code', 'user_code', 'verification_uri', 'verification_uri_complete', 'expires_in'],
  properties: {
    device_code: text('odc_a1b2c3d4', 'Code for the token endpoint. The device keeps it secret.'),
    user_code: text('WDJB-MJHT', 'Code that the user enters.'),
    verification_uri: text(`${BASE_URL}/device`, 'Page on which the user enters the code.'),
    verification_uri_complete: text(`${BASE_URL}/device?user_code=WDJB-MJHT`, 'The page with the code, for a QR code.'),
    expires_in: seconds(600, 'Seconds until both codes expire.'),
  },
};

const pushedRequestResponse: Schema = {
  type: 'object',
  required: ['request_uri', 'expires_in'],
  properties: {
    request_uri: text('urn:ietf:params:oauth:request_uri:6esc_11ACC5bwc014ltc14eY22c', 'Address of the stored request.'),
    expires_in: seconds(60, 'Seconds until the browser must be at the authorization endpoint.'),
  },
};

const introspectionResponse: Schema = {
  type: 'object',
  description: 'For a token that is invalid, or that the client cannot inspect, only `active`, which is false.',
  required: ['active'],
  properties: {
    active: { type: 'boolean', description: 'Whether the token is valid now.' },
    sub: text(USER_ID, 'ID of the user.'),
    client_id: text(CLIENT_ID, 'Client to which the token was issued.'),
    iss: text(BASE_URL, 'Issuer.'),
    aud: text('https://api.example.com', 'API for which the token is.'),
    scope: text('openid profile', 'Scopes of the token, separated by spaces.'),
    token_type: text(
      'Bearer',
      '`DPoP` for access tokens that are bound to a key, `Bearer` for others. Absent for refresh tokens.',
    ),
    cnf: {
      type: 'object',
      description: 'Key to which the token is bound.',
      properties: { jkt: text('0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I', 'Thumbprint of the key (RFC 7638).') },
    },
    iat: seconds(1_768_471_200, 'Time of issue, in Unix seconds.'),
    exp: seconds(1_768_471_500, 'Time of expiry, in Unix seconds.'),
    ...ORGANIZATION_CLAIMS,
    permissions: list(['invoices:read'], 'Scopes that the user has as permissions in the organization.'),
    act: {
      type: 'object',
      additionalProperties: true,
      description:
        'Present if a client exchanged the token: in `sub` the client that acts, and in `act` the client that acted before (RFC 8693, 4.1).',
      example: { sub: CLIENT_ID },
    },
  },
};

const userinfoResponse: Schema = {
  type: 'object',
  required: ['sub'],
  properties: {
    sub: text(USER_ID, 'ID of the user.'),
    name: text('Jane Doe', 'Display name, full name or email address. Scope `profile`, as the five following claims.'),
    given_name: text('Jane', 'First name.'),
    family_name: text('Doe', 'Last name.'),
    picture: text('https://example.com/jane.png', 'URL of a picture.'),
    locale: text('en-US', 'Language of the user.'),
    updated_at: seconds(1_768_471_200, 'Time of the last change of the profile, in Unix seconds.'),
    email: text('jane.doe@example.com', 'Email address, which can change. Scope `email`.'),
    email_verified: { type: 'boolean', description: 'Whether the user has confirmed the email address. Scope `email`.' },
    phone_number: text('+15550100', 'Phone number. Scope `phone`.'),
    phone_number_verified: { type: 'boolean', description: 'Whether the user has confirmed the phone number. Scope `phone`.' },
    ...ORGANIZATION_CLAIMS,
  },
};

const endpoint = (path: string, name: string): Schema => text(`${BASE_URL}${path}`, `The ${name} endpoint.`);

/** The discovery document. The paths of the endpoints are the paths of the operations. */
const discoveryResponse: Schema = {
  type: 'object',
  properties: {
    issuer: text(BASE_URL, 'Issuer of the tokens: `BASE_URL`.'),
    authorization_endpoint: endpoint('/oauth/authorize', 'authorization'),
    token_endpoint: endpoint('/oauth/token', 'token'),
    revocation_endpoint: endpoint('/oauth/revoke', 'revocation'),
    introspection_endpoint: endpoint('/oauth/introspect', 'introspection'),
    device_authorization_endpoint: endpoint('/oauth/device', 'device authorization'),
    pushed_authorization_request_endpoint: endpoint('/oauth/par', 'pushed authorization request'),
    dpop_signing_alg_values_supported: list(['ES256', 'EdDSA'], 'Algorithms of DPoP proofs.'),
    userinfo_endpoint: endpoint('/oauth/userinfo', 'userinfo'),
    end_session_endpoint: endpoint('/oauth/logout', 'logout'),
    jwks_uri: text(`${BASE_URL}/.well-known/jwks.json`, 'The keys that verify tokens.'),
    scopes_supported: list(['openid', 'profile'], 'Scopes of OpenID Connect.'),
    claims_supported: list(['sub', 'org_id'], 'Claims of ID tokens and of the userinfo endpoint.'),
    claim_types_supported: list(['normal'], 'Types of claims.'),
    acr_values_supported: list(['aal1', 'aal2'], 'Authentication contexts.'),
    response_types_supported: list(['code'], 'Response types.'),
    response_modes_supported: list(['form_post', 'fragment', 'query'], 'Response modes.'),
    grant_types_supported: list(
      [
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
        'urn:ietf:params:oauth:grant-type:token-exchange',
        'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ],
      'Grant types.',
    ),
    subject_types_supported: list(['public'], 'Subject types.'),
    code_challenge_methods_supported: list(['S256'], 'PKCE methods.'),
    id_token_signing_alg_values_supported: list(['ES256', 'RS256'], 'Algorithms of ID tokens.'),
    token_endpoint_auth_methods_supported: list(
      ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'],
      'How clients can authenticate.',
    ),
    token_endpoint_auth_signing_alg_values_supported: list(
      ['ES256', 'RS256', 'PS256', 'EdDSA'],
      'Algorithms of `private_key_jwt`.',
    ),
    claims_parameter_supported: { type: 'boolean', description: 'Whether requests can have `claims`.' },
    backchannel_logout_supported: { type: 'boolean', description: 'Whether clients can receive logout tokens.' },
    backchannel_logout_session_supported: { type: 'boolean', description: 'Whether logout tokens can have `sid`.' },
    request_uri_parameter_supported: { type: 'boolean', description: 'Whether requests can have `request_uri`.' },
    authorization_response_iss_parameter_supported: {
      type: 'boolean',
      description: 'Whether redirects to applications have `iss` (RFC 9207).',
    },
  },
};

/** What the discovery document has only where an organization allows it. */
const OPTIONAL_METADATA = {
  registration_endpoint: text(
    `${BASE_URL}/oauth/register`,
    'Present if an organization allows clients that register themselves.',
  ),
  client_id_metadata_document_supported: {
    type: 'boolean',
    description: 'Present if an organization allows clients with metadata documents.',
  },
};

const REDIRECT_URIS = list(['https://app.example.com/callback'], 'Where browsers return to the client.');
const CLIENT_NAME = text('Assistant', 'Name of the application.');

const LOGOUT_FIELDS: Record<string, Schema> = {
  backchannel_logout_uri: text('https://app.example.com/logout', 'Where the client receives logout tokens.'),
  backchannel_logout_session_required: { type: 'boolean', description: 'Whether tokens need `sid`.' },
};

const registrationRequest: Schema = {
  type: 'object',
  description: 'Client metadata (RFC 7591). Other fields are ignored.',
  required: ['redirect_uris'],
  properties: { client_name: CLIENT_NAME, redirect_uris: REDIRECT_URIS, ...LOGOUT_FIELDS },
};

const registrationResponse: Schema = {
  type: 'object',
  properties: {
    client_id: text('dcr_v1.a1b2c3d4.e5f6', 'ID of the client, up to 2,000 characters long.'),
    client_id_issued_at: seconds(1_768_471_200, 'Time of the registration, in Unix seconds.'),
    client_name: CLIENT_NAME,
    redirect_uris: REDIRECT_URIS,
    ...LOGOUT_FIELDS,
    grant_types: list(['authorization_code', 'refresh_token'], 'Grant types.'),
    response_types: list(['code'], 'Response types.'),
    token_endpoint_auth_method: text('none', 'Always `none`: the client has no secret.'),
    registration_access_token: text('v1.a1b2c3d4.e5f6', 'Bearer token for `registration_client_uri`.'),
    registration_client_uri: text(`${BASE_URL}/oauth/register/dcr_v1`, 'Where the client manages its registration (RFC 7592).'),
  },
};

const protectedResourceResponse: Schema = {
  type: 'object',
  properties: {
    resource: text(BASE_URL, 'Identifier of the API: `BASE_URL`.'),
    resource_name: text('Identity', 'Name of the API.'),
    authorization_servers: list([BASE_URL], 'Issuers of tokens for the API.'),
    scopes_supported: list(['members:read'], 'Scopes of the API.'),
    bearer_methods_supported: list(['header'], 'How requests send tokens.'),
    resource_documentation: text(`${BASE_URL}/docs`, 'Documentation of the API.'),
  },
};

const errorResponse: Schema = {
  type: 'object',
  description: 'An error as OAuth describes it (RFC 6749, 5.2).',
  required: ['error'],
  properties: {
    error: text('invalid_grant', 'Code of the error. Use it in programs.'),
    error_description: text('grant request is invalid', 'Explanation for developers.'),
    scope: text('openid', 'Scope that is missing.'),
  },
};

export const OAUTH_SCHEMAS: Readonly<Record<string, Schema>> = {
  OAuthDeviceResponse: deviceResponse,
  OAuthPushedRequestResponse: pushedRequestResponse,
  OAuthTokenResponse: tokenResponse,
  OAuthIntrospectionResponse: introspectionResponse,
  OAuthUserinfoResponse: userinfoResponse,
  OAuthDiscoveryResponse: {
    ...discoveryResponse,
    required: Object.keys(discoveryResponse['properties'] as Schema),
    properties: { ...(discoveryResponse['properties'] as Schema), ...OPTIONAL_METADATA },
  },
  OAuthProtectedResourceResponse: protectedResourceResponse,
  OAuthRegistrationRequest: registrationRequest,
  OAuthRegistrationResponse: registrationResponse,
  OAuthErrorResponse: errorResponse,
};
