import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { hashToken } from '#platform/crypto';
import type { JSONWebKeySet } from 'jose';
import { LRUCache } from 'lru-cache';
import { TokenHashQuery } from '#directory/sessions';
import { DataSource } from 'typeorm';
import type {
  ClientAuthentication,
  ClientRegistration,
  OAuthClientType,
  OAuthGrantType,
  ResourceScopes,
} from './oauth-client.entity.js';

const ID_ROW = row({ id: column.text() });

/** What requests for a change of the client can change. */
const DEFINITION_ROW = row({
  id: column.text(),
  tenantId: column.text(),
  name: column.text(),
  type: column.text<OAuthClientType>(),
  redirectUris: column.arrayOf(column.text()),
  postLogoutRedirectUris: column.arrayOf(column.text()),
  backchannelLogoutUri: column.nullable(column.text()),
  backchannelLogoutSessionRequired: column.boolean(),
  origins: column.arrayOf(column.text()),
  grantTypes: column.arrayOf(column.text<OAuthGrantType>()),
  scopes: column.arrayOf(column.text()),
  resourceScopes: column.json<ResourceScopes>(),
  audiences: column.arrayOf(column.text()),
  authentication: column.text<ClientAuthentication>(),
  jwks: column.nullable(column.json<JSONWebKeySet>()),
  jwksUri: column.nullable(column.text()),
  idTokenAlgorithm: column.text<'ES256' | 'RS256'>(),
  requirePushedAuthorizationRequests: column.boolean(),
  dpopBoundAccessTokens: column.boolean(),
  logoUri: column.nullable(column.text()),
  homePageUri: column.nullable(column.text()),
  termsUri: column.nullable(column.text()),
  privacyUri: column.nullable(column.text()),
  visibility: column.text<'organization' | 'descendants'>(),
  consent: column.text<'required' | 'skipped'>(),
  allowedNetworks: column.nullable(column.arrayOf(column.text())),
  ownerTenantId: column.nullable(column.text()),
  ownerId: column.nullable(column.text()),
  registration: column.nullable(column.text<ClientRegistration>()),
  metadataUri: column.nullable(column.text()),
  expiresAt: column.nullable(column.timestamp()),
  lastUsedAt: column.nullable(column.timestamp()),
  createdAt: column.timestamp(),
});

/** The current state of a client as JSON, and its version and last use, which tell whether the definition has changed. */
const STATE_ROW = row({ state: column.text() });

interface ClientState {
  /** Null for clients of the platform. */
  readonly organization: OrganizationScope | null;
  /** The secrets, as hashes in base64, with their expiry. */
  readonly secrets: readonly { readonly id: string; readonly hash: string; readonly expiresAt: string | null }[];
  /** Whether the client is enabled, not expired, not disabled, and its organization and the ancestors are not suspended. */
  readonly isActive: boolean;
}

const LOGOUT_RECEIVER_ROW = row({
  id: column.text(),
  uri: column.text(),
  sessionRequired: column.boolean(),
  algorithm: column.text<'ES256' | 'RS256'>(),
});

/** Where a client receives logout tokens, and what they contain. */
export type LogoutReceiver = Readonly<RowOf<typeof LOGOUT_RECEIVER_ROW>>;

/** A client with all that decides about a request. */
export interface KnownClient extends Readonly<RowOf<typeof DEFINITION_ROW>>, ClientState {
  /** The `client_id`: the id, or what a client that nobody created with the API uses instead. */
  readonly clientId: string;
  /** Whether the client is not stored yet, because nobody has used it. */
  readonly isNew?: true;
}

interface ClientKey {
  readonly tenantId: string;
  readonly id: string;
}

/** The last read of a client. */
interface CachedClient {
  readonly state: string;
  readonly client: KnownClient;
}

const CACHED_CLIENTS = 10_000;

/** Finds clients by their id alone, as the protocol needs it, and deletes them with their hashes. */
@Injectable()
export class OAuthClientQuery extends BaseQuery {
  /** The keys by `client_id`. */
  private readonly keys = new LRUCache<string, ClientKey>({ max: CACHED_CLIENTS });
  /** The clients by `client_id`. Each is used only while its state is current: one column instead of 37 (docs/engineering/performance.md). */
  private readonly clients = new LRUCache<string, CachedClient>({ max: CACHED_CLIENTS });

  constructor(
    dataSource: DataSource,
    private readonly tokenHashes: TokenHashQuery,
  ) {
    super(dataSource);
  }

  /** Returns the stored client with this id or `client_id`, or undefined if there is none or its organization is deleted. */
  async findById(ctx: RequestContext, clientId: string, now: Date): Promise<KnownClient | undefined> {
    const key = await this.findKey(ctx, clientId);
    if (!key) return undefined;
    const [found] = await this.query(
      ctx,
      STATE_ROW,
      `SELECT json_build_object('version', c.version, 'lastUsedAt', c.last_used_at,
           'organization', CASE WHEN o.id IS NOT NULL THEN json_build_object('id', o.id, 'tenantId', o.tenant_id, 'name', o.name,
             'slug', o.slug, 'status', o.status, 'ancestorIds', o.ancestor_ids) END,
           'secrets', (
             SELECT coalesce(json_agg(json_build_object('id', s.id, 'hash', encode(s.hash, 'base64'), 'expiresAt', s.expires_at) ORDER BY s.id), '[]')
             FROM oauth_client_secrets s WHERE s.tenant_id = $1 AND s.client_id = c.id),
           'isActive', c.enabled AND c.disabled_at IS NULL AND (c.expires_at IS NULL OR c.expires_at > $3)
             AND NOT EXISTS (SELECT FROM organizations s WHERE s.tenant_id = $1 AND s.status <> 'active'
               AND s.id = ANY (o.ancestor_ids || o.id)))::text AS state
       FROM oauth_clients c
       LEFT JOIN organizations o ON o.tenant_id = $1 AND o.id = c.organization_id AND o.deleted_at IS NULL
       WHERE c.tenant_id = $1 AND c.id = $2 AND (c.organization_id IS NULL OR o.id IS NOT NULL)`,
      [key.tenantId, key.id, now],
      { prepared: true, connection: 'shared' },
    );
    const cached = this.clients.get(clientId);
    if (found && found.state === cached?.state) return cached.client;
    const definition = found && (await this.findDefinition(ctx, key));
    if (!definition) {
      this.keys.delete(clientId);
      this.clients.delete(clientId);
      return undefined;
    }
    const { organization, secrets, isActive } = JSON.parse(found.state) as ClientState;
    const client = { ...definition, organization, secrets, isActive, clientId: definition.metadataUri ?? clientId };
    this.clients.set(clientId, { state: found.state, client });
    return client;
  }

  /** Returns where a client receives logout tokens, also while it is disabled, or undefined if it has no address. */
  async findLogoutReceiver(ctx: RequestContext, id: string): Promise<LogoutReceiver | undefined> {
    const key = await this.findKey(ctx, id);
    const [receiver] = key
      ? await this.query(
          ctx,
          LOGOUT_RECEIVER_ROW,
          `SELECT id, backchannel_logout_uri AS uri, backchannel_logout_session_required AS "sessionRequired",
             id_token_algorithm AS algorithm
           FROM oauth_clients WHERE tenant_id = $1 AND id = $2 AND backchannel_logout_uri IS NOT NULL`,
          [key.tenantId, key.id],
          { prepared: true },
        )
      : [];
    return receiver;
  }

  private async findDefinition(
    ctx: RequestContext,
    { tenantId, id }: ClientKey,
  ): Promise<RowOf<typeof DEFINITION_ROW> | undefined> {
    const [definition] = await this.query(
      ctx,
      DEFINITION_ROW,
      `SELECT id, tenant_id AS "tenantId", name, type, redirect_uris AS "redirectUris", post_logout_redirect_uris AS "postLogoutRedirectUris",
         backchannel_logout_uri AS "backchannelLogoutUri", backchannel_logout_session_required AS "backchannelLogoutSessionRequired",
         origins, grant_types AS "grantTypes", scopes, resource_scopes AS "resourceScopes", audiences, authentication, jwks,
         jwks_uri AS "jwksUri", id_token_algorithm AS "idTokenAlgorithm",
         require_pushed_authorization_requests AS "requirePushedAuthorizationRequests",
         dpop_bound_access_tokens AS "dpopBoundAccessTokens", logo_uri AS "logoUri", home_page_uri AS "homePageUri",
         terms_uri AS "termsUri", privacy_uri AS "privacyUri", visibility, consent, registration, metadata_uri AS "metadataUri",
         allowed_networks AS "allowedNetworks", owner_tenant_id AS "ownerTenantId", owner_id AS "ownerId",
         expires_at AS "expiresAt", last_used_at AS "lastUsedAt", created_at AS "createdAt"
       FROM oauth_clients WHERE tenant_id = $1 AND id = $2`,
      [tenantId, id],
      { prepared: true, connection: 'shared' },
    );
    return definition;
  }

  private async findKey(ctx: RequestContext, clientId: string): Promise<ClientKey | undefined> {
    const key = this.keys.get(clientId) ?? (await this.tokenHashes.find(ctx, 'oauth_client', hashToken(clientId)));
    if (key) this.keys.set(clientId, key);
    return key;
  }

  /** Returns whether an enabled client of any tenant has the origin. */
  async isOrigin(ctx: RequestContext, origin: string, now: Date): Promise<boolean> {
    const found = await this.query(
      ctx,
      ID_ROW,
      `SELECT id FROM oauth_clients WHERE origins @> ARRAY[$1::text] AND enabled AND disabled_at IS NULL
         AND (expires_at IS NULL OR expires_at > $2) LIMIT 1`,
      [origin, now],
      { prepared: true, connection: 'shared' },
    );
    return found.length > 0;
  }

  /** Returns clients by id, without clients that were deleted. */
  async mapByIds(ctx: RequestContext, clients: readonly ClientKey[], now: Date): Promise<ReadonlyMap<string, KnownClient>> {
    const ids = [...new Set(clients.map(({ id }) => id))];
    const found = await Promise.all(ids.map((id) => this.findById(ctx, id, now)));
    return new Map(found.flatMap((client) => (client ? [[client.id, client] as const] : [])));
  }

  /** Makes a client found by its id, or by a `client_id`. @throws QueryFailedError (token_hashes_pkey) */
  async insertHash(ctx: RequestContext, { tenantId, id }: ClientKey, clientId = id): Promise<void> {
    await this.tokenHashes.insert(ctx, 'oauth_client', hashToken(clientId), { tenantId, id });
  }

  /** Deletes the hash of a deleted client, and revokes its grants in its own tenant. Grants in other tenants are worth nothing without it. */
  async deleteRest(ctx: RequestContext, { tenantId, id }: ClientKey, at: Date): Promise<void> {
    await this.tokenHashes.delete(ctx, 'oauth_client', hashToken(id));
    const sql = 'UPDATE oauth_grants SET revoked_at = $3 WHERE tenant_id = $1 AND client_id = $2 AND revoked_at IS NULL';
    await this.execute(ctx, sql, [tenantId, id, at]);
  }

  /** Deletes the clients of purged organizations. */
  async deleteOfOrganizations(ctx: RequestContext, tenantId: string, organizationIds: readonly string[]): Promise<void> {
    const sql = 'DELETE FROM oauth_clients WHERE tenant_id = $1 AND organization_id = ANY ($2) RETURNING id';
    const deleted = await this.query(ctx, ID_ROW, sql, [tenantId, organizationIds]);
    await this.tokenHashes.deleteOf(
      ctx,
      'oauth_client',
      tenantId,
      deleted.map(({ id }) => id),
    );
  }

  /** Records the time of a use of a client, unless a use was recorded less than a minute ago. */
  recordUse(ctx: RequestContext, client: ClientKey, at: Date): Promise<void> {
    return this.recordUseIn(ctx, 'oauth_clients', client, at);
  }

  /** Same as `recordUse` for a secret. */
  recordSecretUse(ctx: RequestContext, secret: ClientKey, at: Date): Promise<void> {
    return this.recordUseIn(ctx, 'oauth_client_secrets', secret, at);
  }

  private async recordUseIn(
    ctx: RequestContext,
    table: 'oauth_clients' | 'oauth_client_secrets',
    { tenantId, id }: ClientKey,
    at: Date,
  ): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE ${table} SET last_used_at = $3::timestamptz
       WHERE tenant_id = $1 AND id = $2 AND (last_used_at IS NULL OR last_used_at <= $3::timestamptz - interval '1 minute')`,
      [tenantId, id, at],
      { prepared: true },
    );
  }
}
