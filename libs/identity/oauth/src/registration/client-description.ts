import { PLATFORM_TENANT, derivedId } from '#platform/common';
import type { JSONWebKeySet } from 'jose';
import type { KnownClient } from '../clients/oauth-client.query.js';
import type { ClientAuthentication, ClientRegistration } from '../clients/oauth-client.entity.js';
import { MAX_URI_LENGTH, problemsOfClient } from '../clients/client-rules.js';
import { OPENID_SCOPES } from '../clients/openid-scopes.js';

const NAME_MAX_LENGTH = 100;
const REDIRECT_URIS_MAX = 20;

/** What a client says about itself that this service keeps. */
export interface ClientDescription {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly backchannelLogoutUri: string | null;
  readonly backchannelLogoutSessionRequired: boolean;
  readonly authentication: Extract<ClientAuthentication, 'none' | 'private_key_jwt'>;
  readonly jwks: JSONWebKeySet | null;
  readonly jwksUri: string | null;
}

/** The error of RFC 7591, section 3.2.2. */
export class InvalidClientMetadata extends Error {
  constructor(
    readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata',
    message: string,
  ) {
    super(message);
  }
}

const invalid = (message: string): InvalidClientMetadata => new InvalidClientMetadata('invalid_client_metadata', message);

/**
 * Reads client metadata (RFC 7591). Logos, links and texts are left out, so that an unknown application can't look like another one. A
 * client is public unless it has a key of its own. @throws InvalidClientMetadata
 */
export function descriptionOf(metadata: unknown, { canHaveKeys }: { readonly canHaveKeys: boolean }): ClientDescription {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw invalid('the client metadata must be a JSON object');
  const values = metadata as Readonly<Record<string, unknown>>;
  const { grant_types: grantTypes, response_types: responseTypes, token_endpoint_auth_method: method } = values;
  if (grantTypes !== undefined && !(isTexts(grantTypes) && grantTypes.includes('authorization_code')))
    throw invalid('grant_types must include authorization_code');
  if (responseTypes !== undefined && !(isTexts(responseTypes) && responseTypes.includes('code')))
    throw invalid('response_types must include code');
  const hasKeys = canHaveKeys && method === 'private_key_jwt';
  const description: ClientDescription = {
    name: nameOf(values['client_name']),
    redirectUris: redirectUrisOf(values['redirect_uris']),
    ...logoutOf(values),
    authentication: hasKeys ? 'private_key_jwt' : 'none',
    jwks: hasKeys && values['jwks'] !== undefined ? (values['jwks'] as JSONWebKeySet) : null,
    jwksUri: hasKeys && typeof values['jwks_uri'] === 'string' ? values['jwks_uri'] : null,
  };
  assertValid(description);
  return description;
}

/** Returns a client that nobody created with the API. */
export function clientOf(clientId: string, registration: ClientRegistration, description: ClientDescription): KnownClient {
  const { name, redirectUris, backchannelLogoutUri, backchannelLogoutSessionRequired, authentication, jwks, jwksUri } =
    description;
  return {
    id: derivedId('oauthClient', clientId),
    clientId,
    tenantId: PLATFORM_TENANT,
    name,
    type: typeOf(description),
    redirectUris: [...redirectUris],
    postLogoutRedirectUris: [],
    backchannelLogoutUri,
    backchannelLogoutSessionRequired,
    origins: [...new Set(redirectUris.filter((uri) => uri.startsWith('https:')).map((uri) => new URL(uri).origin))],
    grantTypes: ['authorization_code', 'refresh_token'],
    scopes: [...OPENID_SCOPES],
    resourceScopes: {},
    audiences: [],
    authentication,
    jwks,
    jwksUri,
    idTokenAlgorithm: 'ES256',
    logoUri: null,
    homePageUri: null,
    termsUri: null,
    privacyUri: null,
    visibility: 'descendants',
    consent: 'required',
    registration,
    metadataUri: registration === 'metadata_document' ? clientId : null,
    allowedNetworks: null,
    ownerTenantId: null,
    ownerId: null,
    expiresAt: null,
    lastUsedAt: null,
    createdAt: new Date(0),
    organization: null,
    secrets: [],
    isActive: true,
    isNew: true,
    requirePushedAuthorizationRequests: false,
    dpopBoundAccessTokens: false,
  };
}

/** An application that receives an answer on the device is a native one, so that it is asked about each time. */
function typeOf({ redirectUris, authentication }: ClientDescription): KnownClient['type'] {
  if (authentication !== 'none') return 'web';
  return redirectUris.every((uri) => uri.startsWith('https:')) ? 'single_page' : 'native';
}

function nameOf(value: unknown): string {
  if (value !== undefined && typeof value !== 'string') throw invalid('client_name must be a string');
  // Invisible characters could change how the name looks.
  const name = (value ?? '').replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '').trim();
  return [...name].slice(0, NAME_MAX_LENGTH).join('') || 'Application without a name';
}

function redirectUrisOf(value: unknown): string[] {
  if (
    !isTexts(value) ||
    value.length === 0 ||
    value.length > REDIRECT_URIS_MAX ||
    value.some((uri) => uri.length > MAX_URI_LENGTH)
  )
    throw new InvalidClientMetadata(
      'invalid_redirect_uri',
      `redirect_uris must be a list of 1 to ${REDIRECT_URIS_MAX} addresses`,
    );
  return [...new Set(value)];
}

/** Returns the address for logout tokens. It is not called before a user has allowed the client something. */
function logoutOf({
  backchannel_logout_uri: uri,
  backchannel_logout_session_required: sessionRequired,
}: Readonly<Record<string, unknown>>): Pick<ClientDescription, 'backchannelLogoutUri' | 'backchannelLogoutSessionRequired'> {
  if (uri === undefined) return { backchannelLogoutUri: null, backchannelLogoutSessionRequired: false };
  if (typeof uri !== 'string' || uri.length > MAX_URI_LENGTH)
    throw invalid(`backchannel_logout_uri must be an address of at most ${MAX_URI_LENGTH} characters`);
  return { backchannelLogoutUri: uri, backchannelLogoutSessionRequired: sessionRequired === true };
}

function assertValid(description: ClientDescription): void {
  const [problem] = problemsOfClient(clientOf('', 'dynamic', description));
  if (!problem) return;
  const isOfUri = problem.pointer.startsWith('/redirectUris');
  throw new InvalidClientMetadata(isOfUri ? 'invalid_redirect_uri' : 'invalid_client_metadata', problem.message);
}

const isTexts = (value: unknown): value is string[] => Array.isArray(value) && value.every((each) => typeof each === 'string');
