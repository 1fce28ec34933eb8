import {
  BooleanField,
  ChoiceField,
  IntegerField,
  JsonObjectField,
  MomentField,
  ObjectListField,
  TextField,
  TextListField,
} from '#platform/http';
import type { JSONWebKeySet } from 'jose';
import { ClientResourceRequest } from './client-resource.requests.js';
import { MAX_URI_LENGTH } from './client-rules.js';
import {
  AUTHENTICATIONS,
  CLIENT_TYPES,
  type ClientAuthentication,
  GRANT_TYPES,
  type OAuthClientType,
  type OAuthGrantType,
} from './oauth-client.entity.js';
import { OPENID_SCOPES } from './openid-scopes.js';

const URI = { minLength: 1, maxLength: MAX_URI_LENGTH };
export const NAME = {
  description: 'Name of the application. Users see it when they sign in.',
  maxLength: 100,
  example: 'Billing',
};
const ENABLED = 'Whether the client can be used. A disabled client gets no tokens, and its tokens are not accepted.';
const REDIRECT_URIS = {
  description:
    'URIs to which users return with a code. They are compared exactly. For native clients, `http` URIs with a loopback address match every port (RFC 8252).',
  maxItems: 50,
  item: URI,
  example: ['https://billing.example.com/callback'],
};
const POST_LOGOUT_REDIRECT_URIS = {
  description: 'URIs to which users can return after they signed out. They are compared exactly.',
  maxItems: 50,
  item: URI,
  example: ['https://billing.example.com/'],
};
const BACKCHANNEL_LOGOUT_URI = {
  ...URI,
  description:
    'URL that receives a logout token (`logout_token`) when a session of a user at the client ends, for whatever reason (OpenID Connect Back-Channel Logout 1.0).',
  nullable: true,
};
const BACKCHANNEL_LOGOUT_SESSION_REQUIRED =
  'Whether ID tokens and logout tokens contain the session (`sid`). Without it, a logout token means all sessions of the user at the client.';
const ORIGINS = {
  description: 'Origins of pages that can call the token, userinfo and revocation endpoints (CORS).',
  maxItems: 50,
  item: URI,
  example: ['https://app.example.com'],
};
const GRANTS = {
  description:
    'How the client gets tokens. By default, a client that signs users in has `authorization_code` and `refresh_token`, and a machine client has `client_credentials`. `urn:ietf:params:oauth:grant-type:token-exchange` lets a client with a secret or key exchange access tokens for an API in its `audiences` for tokens with which it calls an API in its `resources` on behalf of the same user (RFC 8693). `urn:ietf:params:oauth:grant-type:jwt-bearer` lets such a client get access tokens with assertions of an identity provider that has it in `allowedClients` (RFC 7523, ID-JAG).',
  item: { maxLength: 64 },
  choices: GRANT_TYPES,
};
const SCOPES = {
  description:
    'Scopes of OpenID Connect that the client can request. By default, all for a client that signs users in, and none for a machine client.',
  item: { maxLength: 64 },
  choices: OPENID_SCOPES,
  example: ['openid', 'profile', 'email', 'organization', 'offline_access'],
};
const RESOURCES = {
  description:
    'APIs for which the client can request access tokens, with the allowed scopes. A machine client has these scopes itself; any other client has them only for users who allowed it, and never more than the user.',
  minItems: 0,
  maxItems: 20,
};
const AUDIENCES = {
  description:
    'Identifiers of the APIs that the client serves. The client can exchange access tokens for these APIs, but not for APIs that it only calls: such tokens reach it by mistake or from an attacker.',
  maxItems: 20,
  item: URI,
  example: ['https://orders.example.com'],
};
const AUTHENTICATION = {
  description:
    'How the client authenticates at the token endpoint. By default `client_secret_basic`; `none` for single-page and native clients.',
  choices: AUTHENTICATIONS,
};
const JWKS = { description: 'Public keys of the client (RFC 7517), for `private_key_jwt`.', nullable: true };
const JWKS_URI = { ...URI, description: 'URL of the public keys of the client, for `private_key_jwt`.', nullable: true };
const ID_TOKEN_ALGORITHM = { description: 'Algorithm with which ID tokens are signed.', choices: ['ES256', 'RS256'] };
const REQUIRE_PAR =
  'Whether the client must push its authorization requests to `/oauth/par` (RFC 9126). Requests with parameters in the address are refused.';
const DPOP_BOUND =
  'Whether all tokens of the client must be bound to a key of the client (DPoP, RFC 9449). Without it, the client can choose for each request.';
const LOGO_URI = { ...URI, description: 'URL of the logo.', nullable: true, example: 'https://billing.example.com/logo.svg' };
const HOME_PAGE_URI = { ...URI, description: 'URL of the home page.', nullable: true, example: 'https://billing.example.com/' };
const TERMS_URI = { ...URI, description: 'URL of the terms of service.', nullable: true, example: 'https://example.com/terms' };
const PRIVACY_URI = { ...URI, description: 'URL of the privacy policy.', nullable: true, example: 'https://example.com/privacy' };
const VISIBILITY = {
  description:
    '`organization`: the client signs users in only for its organization. `descendants`: also for the descendants of its organization. Clients of the platform sign in all users.',
  choices: ['organization', 'descendants'],
};
const CONSENT = {
  description:
    '`required`: each user must allow the access once. `skipped`: users are not asked. Only callers with all permissions in the organization can skip it.',
  choices: ['required', 'skipped'],
};
const NETWORKS = {
  description:
    'IP addresses and networks (CIDR) from which the client can call the token, introspection and revocation endpoints, however it authenticates. For clients in browsers and on devices, these are the addresses of the users. `null` means all networks.',
  minItems: 1,
  maxItems: 50,
  item: { maxLength: 64 },
  nullable: true,
  example: ['203.0.113.0/24'],
};
const EXPIRES_AT = {
  description: 'Time at which the client expires. `null` means that the client does not expire.',
  nullable: true,
  example: '2027-01-31T12:00:00.000Z',
};

export class CreateOauthClientRequest {
  @TextField({ ...NAME, required: true })
  name!: string;

  @ChoiceField({
    description:
      "`web`: an application with a server, which can keep a secret. `single_page`: an application in the browser. `native`: an application on a device. `machine`: a program without users. The type can't be changed.",
    choices: CLIENT_TYPES,
    required: true,
    example: 'machine',
  })
  type!: OAuthClientType;

  @BooleanField({ description: ENABLED, default: true })
  enabled?: boolean;

  @TextListField(REDIRECT_URIS)
  redirectUris?: string[];

  @TextListField(POST_LOGOUT_REDIRECT_URIS)
  postLogoutRedirectUris?: string[];

  @TextField(BACKCHANNEL_LOGOUT_URI)
  backchannelLogoutUri?: string | null;

  @BooleanField({ description: BACKCHANNEL_LOGOUT_SESSION_REQUIRED, default: false })
  backchannelLogoutSessionRequired?: boolean;

  @TextListField(ORIGINS)
  origins?: string[];

  @TextListField(GRANTS)
  grantTypes?: OAuthGrantType[];

  @TextListField(SCOPES)
  scopes?: string[];

  @ObjectListField(() => ClientResourceRequest, RESOURCES)
  resources?: ClientResourceRequest[];

  @TextListField(AUDIENCES)
  audiences?: string[];

  @ChoiceField(AUTHENTICATION)
  authentication?: ClientAuthentication;

  @JsonObjectField(JWKS)
  jwks?: JSONWebKeySet | null;

  @TextField(JWKS_URI)
  jwksUri?: string | null;

  @ChoiceField({ ...ID_TOKEN_ALGORITHM, default: 'ES256' })
  idTokenAlgorithm?: 'ES256' | 'RS256';

  @BooleanField({ description: REQUIRE_PAR, default: false })
  requirePushedAuthorizationRequests?: boolean;

  @BooleanField({ description: DPOP_BOUND, default: false })
  dpopBoundAccessTokens?: boolean;

  @TextField(LOGO_URI)
  logoUri?: string | null;

  @TextField(HOME_PAGE_URI)
  homePageUri?: string | null;

  @TextField(TERMS_URI)
  termsUri?: string | null;

  @TextField(PRIVACY_URI)
  privacyUri?: string | null;

  @ChoiceField({ ...VISIBILITY, default: 'descendants' })
  visibility?: 'organization' | 'descendants';

  @ChoiceField({ ...CONSENT, default: 'required' })
  consent?: 'required' | 'skipped';

  @TextListField(NETWORKS)
  allowedNetworks?: string[] | null;

  @MomentField(EXPIRES_AT)
  expiresAt?: Date | null;
}

export class UpdateOauthClientRequest {
  @TextField(NAME)
  name?: string;

  @BooleanField({ description: ENABLED })
  enabled?: boolean;

  @TextListField(REDIRECT_URIS)
  redirectUris?: string[];

  @TextListField(POST_LOGOUT_REDIRECT_URIS)
  postLogoutRedirectUris?: string[];

  @TextField(BACKCHANNEL_LOGOUT_URI)
  backchannelLogoutUri?: string | null;

  @BooleanField({ description: BACKCHANNEL_LOGOUT_SESSION_REQUIRED })
  backchannelLogoutSessionRequired?: boolean;

  @TextListField(ORIGINS)
  origins?: string[];

  @TextListField(GRANTS)
  grantTypes?: OAuthGrantType[];

  @TextListField(SCOPES)
  scopes?: string[];

  @ObjectListField(() => ClientResourceRequest, RESOURCES)
  resources?: ClientResourceRequest[];

  @TextListField(AUDIENCES)
  audiences?: string[];

  @ChoiceField(AUTHENTICATION)
  authentication?: ClientAuthentication;

  @JsonObjectField(JWKS)
  jwks?: JSONWebKeySet | null;

  @TextField(JWKS_URI)
  jwksUri?: string | null;

  @ChoiceField(ID_TOKEN_ALGORITHM)
  idTokenAlgorithm?: 'ES256' | 'RS256';

  @BooleanField({ description: REQUIRE_PAR })
  requirePushedAuthorizationRequests?: boolean;

  @BooleanField({ description: DPOP_BOUND })
  dpopBoundAccessTokens?: boolean;

  @TextField(LOGO_URI)
  logoUri?: string | null;

  @TextField(HOME_PAGE_URI)
  homePageUri?: string | null;

  @TextField(TERMS_URI)
  termsUri?: string | null;

  @TextField(PRIVACY_URI)
  privacyUri?: string | null;

  @ChoiceField(VISIBILITY)
  visibility?: 'organization' | 'descendants';

  @ChoiceField(CONSENT)
  consent?: 'required' | 'skipped';

  @TextListField(NETWORKS)
  allowedNetworks?: string[] | null;

  @MomentField(EXPIRES_AT)
  expiresAt?: Date | null;
}

const MAX_OVERLAP_SECONDS = 30 * 24 * 3_600;

export class CreateOauthClientSecretRequest {
  @MomentField({
    description: 'Time at which the secret expires. By default, the secret does not expire.',
    example: '2027-01-31T12:00:00.000Z',
  })
  expiresAt?: Date;

  @IntegerField({
    description:
      'Number of seconds after which all previous secrets of the client expire, for a rotation. By default, they continue to work. At most 30 days.',
    min: 0,
    max: MAX_OVERLAP_SECONDS,
    example: 3_600,
  })
  previousExpireInSeconds?: number;
}
