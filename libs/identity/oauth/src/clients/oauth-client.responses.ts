import { choiceOrNull } from '#platform/http';
import { OWNER_FLAGS } from '#directory/memberships';
import { ApiProperty } from '@nestjs/swagger';
import { AUTHENTICATIONS, CLIENT_TYPES, GRANT_TYPES, type OAuthClient, resourceList } from './oauth-client.entity.js';
import { OPENID_SCOPES } from './openid-scopes.js';
import type { OAuthClientSecret } from './oauth-client-secret.entity.js';

export const CLIENT_ID = 'app_01kf2bav4hf7r8v2m5n9q1c3ek';

/** The ids in the paths of clients and their secrets. */
export const CLIENT_PARAM = { name: 'id', description: 'Id of the client.', example: CLIENT_ID };
export const CLIENT_OF_SECRET_PARAM = { ...CLIENT_PARAM, name: 'client' };
export const SECRET_PARAM = { name: 'id', description: 'Id of the secret.', example: 'apsec_01kf2bav4hf7r8v2m5n9q1c3ek' };
const TIME = '2026-01-15T09:00:00.000Z';
const NULLABLE_URI = { type: String, nullable: true, example: null } as const;

export class ClientResourceResponse {
  @ApiProperty({ description: 'Identifier of the resource.', example: 'https://api.example.com' }) identifier!: string;
  @ApiProperty({ description: 'Scopes of the resource.', type: [String], example: ['invoices:read'] }) scopes!: string[];
}

/** An OAuth client without its secrets. */
export class OauthClientResponse {
  @ApiProperty({ description: 'The `client_id`.', example: CLIENT_ID }) id!: string;
  @ApiProperty({
    description: 'Id of the organization. Null for a client of the platform.',
    type: String,
    nullable: true,
    example: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
  })
  organizationId!: string | null;
  @ApiProperty({ description: 'Name of the application.', example: 'Billing' }) name!: string;
  @ApiProperty({ description: 'Type of the client.', enum: CLIENT_TYPES, example: 'web' }) type!: string;
  @ApiProperty({ description: 'Whether the client can be used.', example: true }) enabled!: boolean;
  @ApiProperty({ description: 'Redirect URIs.', type: [String], example: ['https://billing.example.com/callback'] })
  redirectUris!: string[];
  @ApiProperty({ description: 'URIs after sign-out.', type: [String], example: ['https://billing.example.com/'] })
  postLogoutRedirectUris!: string[];
  @ApiProperty({ description: 'URL that receives logout tokens.', ...NULLABLE_URI }) backchannelLogoutUri!: string | null;
  @ApiProperty({ description: 'Whether ID tokens and logout tokens contain the session (`sid`).', example: false })
  backchannelLogoutSessionRequired!: boolean;
  @ApiProperty({ description: 'Origins of pages that can call the token endpoint.', type: [String], example: [] })
  origins!: string[];
  @ApiProperty({ description: 'How the client gets tokens.', enum: GRANT_TYPES, isArray: true, example: ['authorization_code'] })
  grantTypes!: string[];
  @ApiProperty({ description: 'Scopes of OpenID Connect.', enum: OPENID_SCOPES, isArray: true, example: ['openid', 'email'] })
  scopes!: string[];
  @ApiProperty({ description: 'Resources and their scopes.', type: [ClientResourceResponse] })
  resources!: ClientResourceResponse[];
  @ApiProperty({
    description: 'Identifiers of the APIs that the client serves.',
    type: [String],
    example: ['https://orders.example.com'],
  })
  audiences!: string[];
  @ApiProperty({ description: 'Authentication at the token endpoint.', enum: AUTHENTICATIONS, example: 'client_secret_basic' })
  authentication!: string;
  @ApiProperty({
    description: 'Public keys of the client.',
    type: 'object',
    additionalProperties: true,
    nullable: true,
    example: null,
  })
  jwks!: object | null;
  @ApiProperty({ description: 'URL of the public keys of the client.', ...NULLABLE_URI }) jwksUri!: string | null;
  @ApiProperty({ description: 'Algorithm of ID tokens.', enum: ['ES256', 'RS256'], example: 'ES256' }) idTokenAlgorithm!: string;
  @ApiProperty({ description: 'Whether authorization requests must be pushed (RFC 9126).', example: false })
  requirePushedAuthorizationRequests!: boolean;
  @ApiProperty({ description: 'Whether all tokens must be bound to a key of the client (RFC 9449).', example: false })
  dpopBoundAccessTokens!: boolean;
  @ApiProperty({ description: 'URL of the logo.', ...NULLABLE_URI }) logoUri!: string | null;
  @ApiProperty({ description: 'URL of the home page.', ...NULLABLE_URI }) homePageUri!: string | null;
  @ApiProperty({ description: 'URL of the terms of service.', ...NULLABLE_URI }) termsUri!: string | null;
  @ApiProperty({ description: 'URL of the privacy policy.', ...NULLABLE_URI }) privacyUri!: string | null;
  @ApiProperty({
    description: 'Organizations for which it signs in.',
    enum: ['organization', 'descendants'],
    example: 'descendants',
  })
  visibility!: string;
  @ApiProperty({ description: 'Whether users are asked.', enum: ['required', 'skipped'], example: 'required' }) consent!: string;
  @ApiProperty({
    description:
      'Networks (CIDR) from which the client can call the token, introspection and revocation endpoints, or null for all networks.',
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    example: null,
  })
  allowedNetworks!: string[] | null;
  @ApiProperty({
    description: 'Time at which the client expires.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  expiresAt!: string | null;
  @ApiProperty({
    description: 'Id of the owner: the user who created the client, or the owner of the API key that did.',
    type: String,
    nullable: true,
    example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw',
  })
  ownerId!: string | null;
  @ApiProperty({
    description: 'Why the owner is no longer suitable: the same as for API keys. Null if there is no problem.',
    ...choiceOrNull(OWNER_FLAGS),
    example: null,
  })
  flag!: string | null;
  @ApiProperty({ description: 'Whether the client is disabled because of its flag.', example: false }) disabled!: boolean;
  @ApiProperty({
    description: 'Time of the last use at the token, introspection or revocation endpoint, accurate to one minute.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: TIME,
  })
  lastUsedAt!: string | null;
  @ApiProperty({ format: 'date-time', example: TIME }) createdAt!: string;
  @ApiProperty({ format: 'date-time', example: TIME }) updatedAt!: string;

  static from(this: void, client: OAuthClient): OauthClientResponse {
    const { id, organizationId, name, type, enabled, redirectUris, postLogoutRedirectUris, origins, grantTypes } = client;
    const { scopes, authentication, jwks, jwksUri, idTokenAlgorithm, logoUri, homePageUri, termsUri, privacyUri } = client;
    const { visibility, consent, allowedNetworks, ownerId, flag } = client;
    const { requirePushedAuthorizationRequests, dpopBoundAccessTokens } = client;
    return {
      id,
      organizationId,
      name,
      type,
      enabled,
      redirectUris,
      postLogoutRedirectUris,
      backchannelLogoutUri: client.backchannelLogoutUri,
      backchannelLogoutSessionRequired: client.backchannelLogoutSessionRequired,
      origins,
      grantTypes,
      scopes,
      resources: resourceList(client.resourceScopes),
      audiences: client.audiences,
      authentication,
      jwks,
      jwksUri,
      idTokenAlgorithm,
      requirePushedAuthorizationRequests,
      dpopBoundAccessTokens,
      logoUri,
      homePageUri,
      termsUri,
      privacyUri,
      visibility,
      consent,
      allowedNetworks,
      expiresAt: client.expiresAt?.toISOString() ?? null,
      ownerId,
      flag,
      disabled: client.disabledAt !== null,
      lastUsedAt: client.lastUsedAt?.toISOString() ?? null,
      createdAt: client.createdAt.toISOString(),
      updatedAt: client.updatedAt.toISOString(),
    };
  }
}

const CLIENT_SECRET = {
  description: 'The `client_secret`. Only this response contains it.',
  example: 'apps_4fK2aQ0example0example0example0example0x7Qd',
};

export class CreatedOauthClientResponse extends OauthClientResponse {
  @ApiProperty({ ...CLIENT_SECRET, type: String, nullable: true }) secret!: string | null;

  static of(this: void, client: OAuthClient, secret: string | null): CreatedOauthClientResponse {
    return { ...OauthClientResponse.from(client), secret };
  }
}

/** A secret without its value. */
export class OauthClientSecretResponse {
  @ApiProperty({ example: 'apsec_01kf2bav4hf7r8v2m5n9q1c3ek' }) id!: string;
  @ApiProperty({ description: 'Last four characters of the secret.', example: 'x7Qd' }) last4!: string;
  @ApiProperty({
    description: 'Time at which the secret expires.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: null,
  })
  expiresAt!: string | null;
  @ApiProperty({
    description: 'Time of the last use, accurate to one minute. Before you delete a secret, look whether it is still used.',
    type: String,
    format: 'date-time',
    nullable: true,
    example: TIME,
  })
  lastUsedAt!: string | null;
  @ApiProperty({ format: 'date-time', example: TIME }) createdAt!: string;

  static from(this: void, { id, last4, expiresAt, lastUsedAt, createdAt }: OAuthClientSecret): OauthClientSecretResponse {
    return {
      id,
      last4,
      expiresAt: expiresAt?.toISOString() ?? null,
      lastUsedAt: lastUsedAt?.toISOString() ?? null,
      createdAt: createdAt.toISOString(),
    };
  }
}

export class CreatedOauthClientSecretResponse extends OauthClientSecretResponse {
  @ApiProperty(CLIENT_SECRET) secret!: string;

  static of(this: void, stored: OAuthClientSecret, secret: string): CreatedOauthClientSecretResponse {
    return { ...OauthClientSecretResponse.from(stored), secret };
  }
}
