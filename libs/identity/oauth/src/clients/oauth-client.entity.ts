import { permissionsOfScope } from '#platform/common';
import type { OwnerFlag } from '#directory/memberships';
import type { JSONWebKeySet } from 'jose';
import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

export const CLIENT_TYPES = ['web', 'single_page', 'native', 'machine'] as const;
export type OAuthClientType = (typeof CLIENT_TYPES)[number];

/** For devices without a browser (RFC 8628). */
export const DEVICE_CODE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** The grant type of RFC 8693. */
export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** The grant type of RFC 7523. */
export const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  DEVICE_CODE_GRANT,
  TOKEN_EXCHANGE,
  JWT_BEARER,
] as const;
/** Grant types that need a secret or a private key. */
export const CONFIDENTIAL_GRANTS = ['client_credentials', TOKEN_EXCHANGE, JWT_BEARER] as const;
export type OAuthGrantType = (typeof GRANT_TYPES)[number];

export const AUTHENTICATIONS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;
export type ClientAuthentication = (typeof AUTHENTICATIONS)[number];

/** How a client came about that nobody created with the API: from the document at its id, or with the registration endpoint. */
export type ClientRegistration = 'metadata_document' | 'dynamic';

/** The scopes of each resource, by the identifier of the resource. */
export type ResourceScopes = Readonly<Record<string, readonly string[]>>;

/** An application that signs users in or calls APIs. */
@Entity('oauth_clients')
export class OAuthClient {
  @PrimaryColumn('text', { name: 'tenant_id' }) tenantId!: string;
  /** The `client_id`. */
  @PrimaryColumn('text') id!: string;
  /** Null for clients of the platform. */
  @Column('text', { name: 'organization_id', nullable: true }) organizationId!: string | null;
  @Column('text') name!: string;
  @Column('text') type!: OAuthClientType;
  @Column('boolean') enabled!: boolean;
  @Column('text', { name: 'redirect_uris', array: true }) redirectUris!: string[];
  @Column('text', { name: 'post_logout_redirect_uris', array: true }) postLogoutRedirectUris!: string[];
  /** The address that receives a logout token when a session of a user ends (OpenID Connect Back-Channel Logout 1.0). */
  @Column('text', { name: 'backchannel_logout_uri', nullable: true }) backchannelLogoutUri!: string | null;
  /** Whether ID tokens and logout tokens name the session. Otherwise logout tokens name only the user. */
  @Column('boolean', { name: 'backchannel_logout_session_required', default: false })
  backchannelLogoutSessionRequired!: boolean;
  /** The origins of pages that can call the token, userinfo and revocation endpoints. */
  @Column('text', { array: true }) origins!: string[];
  @Column('text', { name: 'grant_types', array: true }) grantTypes!: OAuthGrantType[];
  /** Scopes of OpenID Connect. */
  @Column('text', { array: true }) scopes!: string[];
  @Column('jsonb', { name: 'resource_scopes' }) resourceScopes!: ResourceScopes;
  /** The identifiers of the APIs that the client serves. It can exchange access tokens for these. */
  @Column('text', { array: true, default: [] }) audiences!: string[];
  @Column('text') authentication!: ClientAuthentication;
  @Column('jsonb', { nullable: true }) jwks!: JSONWebKeySet | null;
  @Column('text', { name: 'jwks_uri', nullable: true }) jwksUri!: string | null;
  @Column('text', { name: 'id_token_algorithm' }) idTokenAlgorithm!: 'ES256' | 'RS256';
  /** Whether authorization requests must be pushed (RFC 9126). */
  @Column('boolean', { name: 'require_pushed_authorization_requests', default: false })
  requirePushedAuthorizationRequests!: boolean;
  /** Whether all access tokens must be bound to a key of the client (RFC 9449). */
  @Column('boolean', { name: 'dpop_bound_access_tokens', default: false }) dpopBoundAccessTokens!: boolean;
  @Column('text', { name: 'logo_uri', nullable: true }) logoUri!: string | null;
  @Column('text', { name: 'home_page_uri', nullable: true }) homePageUri!: string | null;
  @Column('text', { name: 'terms_uri', nullable: true }) termsUri!: string | null;
  @Column('text', { name: 'privacy_uri', nullable: true }) privacyUri!: string | null;
  /** Whether the client signs users in only for its organization, or also for the descendants. */
  @Column('text') visibility!: 'organization' | 'descendants';
  @Column('text') consent!: 'required' | 'skipped';
  /** Networks in CIDR notation from which the client can call the endpoints for clients; null for all networks. */
  @Column('text', { name: 'allowed_networks', array: true, nullable: true }) allowedNetworks!: string[] | null;
  /** Null for clients that were created with the API. */
  @Column('text', { nullable: true }) registration!: ClientRegistration | null;
  /** The `client_id` of a client with a metadata document. */
  @Column('text', { name: 'metadata_uri', nullable: true }) metadataUri!: string | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
  @Column('text', { name: 'created_by_type' }) createdByType!: string;
  @Column('text', { name: 'created_by_id', nullable: true }) createdById!: string | null;
  /** The user who created the client, or the owner of the API key that did. */
  @Column('text', { name: 'owner_tenant_id', nullable: true }) ownerTenantId!: string | null;
  @Column('text', { name: 'owner_id', nullable: true }) ownerId!: string | null;
  @Column('text', { nullable: true }) flag!: OwnerFlag | null;
  @Column('timestamptz', { name: 'flagged_at', nullable: true }) flaggedAt!: Date | null;
  /** Set while the client is flagged and the organization disables flagged API keys. */
  @Column('timestamptz', { name: 'disabled_at', nullable: true }) disabledAt!: Date | null;
  /** Updated at most once a minute. */
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
  @VersionColumn() version!: number;
}

/** Whether the client has a secret or a private key, so that nobody else can request tokens with its id. */
export const isConfidential = ({ authentication }: Pick<OAuthClient, 'authentication'>): boolean => authentication !== 'none';

export const hasSecrets = ({ authentication }: Pick<OAuthClient, 'authentication'>): boolean =>
  authentication === 'client_secret_basic' || authentication === 'client_secret_post';

/** Returns the scopes of resources as a list, for the API and events. */
export const resourceList = (scopes: ResourceScopes): { identifier: string; scopes: string[] }[] =>
  Object.entries(scopes).map(([identifier, names]) => ({ identifier, scopes: [...names] }));

/** Returns the permissions that the scopes of all resources are. `ownApi` is the identifier of this service's API. */
export const permissionsOf = (resourceScopes: ResourceScopes, ownApi: string): string[] => {
  const permissions = Object.entries(resourceScopes).flatMap(([identifier, scopes]) =>
    identifier === ownApi ? scopes.flatMap(permissionsOfScope) : scopes,
  );
  return [...new Set(permissions)];
};
