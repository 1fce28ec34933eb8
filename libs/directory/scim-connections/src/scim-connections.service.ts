import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  assertUnchanged,
  changesBetween,
  newId,
  organizationOf,
  type Page,
  type PageRequest,
  type RequestContext,
  ResourceNotFound,
  setupLinkOf,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type GainAuthorization, PrivilegesService, type LossAuthorization } from '#directory/privileges';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { CONNECTIONS_PER_ORGANIZATION_MAX, ScimConnectionLimit } from './scim-connection-errors.js';
import { ScimConnection } from './scim-connection.entity.js';
import { ScimConnectionRepository } from './scim-connection.repository.js';
import type { CreateScimConnectionRequest, UpdateScimConnectionRequest } from './scim-connection.requests.js';
import { type ScimConnectionData, scimConnectionData } from './scim-connections.definitions.js';
import { ScimDeletionQuery } from './scim-deletion.query.js';

const DEFAULT_MAX_REMOVALS = 100;

/** Manages the SCIM connections of the organization in the request. Connections of other organizations are not found. */
@Injectable()
export class ScimConnectionsService implements OrganizationLifecycleHandler, OnModuleInit {
  constructor(
    private readonly work: UnitOfWork,
    private readonly connections: ScimConnectionRepository,
    private readonly deletion: ScimDeletionQuery,
    private readonly lifecycleHandlers: OrganizationLifecycleHandlers,
    private readonly privileges: PrivilegesService,
  ) {}

  onModuleInit(): void {
    this.lifecycleHandlers.register(this);
  }

  /** @throws InvalidCursor (400) */
  list(ctx: RequestContext, request: PageRequest): Promise<Page<ScimConnection>> {
    return this.connections.list(ctx, organizationOf(ctx), request);
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<ScimConnection> {
    const connection = await this.connections.find(ctx, organizationOf(ctx), id);
    if (!connection) throw new ResourceNotFound('scim_connection', id);
    return connection;
  }

  /** Locks a connection until the transaction ends. @throws ResourceNotFound (404) */
  async lock(ctx: RequestContext, id: string): Promise<ScimConnection> {
    const connection = await this.connections.lock(ctx, organizationOf(ctx), id);
    if (!connection) throw new ResourceNotFound('scim_connection', id);
    return connection;
  }

  /** @throws GrantBeyondOwn (403), ReauthenticationRequired (401), ScimConnectionLimit (409) */
  async create(ctx: RequestContext, request: CreateScimConnectionRequest): Promise<ScimConnection> {
    const gain = this.authorizeDelegation(ctx);
    return this.work.run(ctx, async (ctx) => {
      const organization = organizationOf(ctx);
      if ((await this.connections.countLocked(ctx, organization)) >= CONNECTIONS_PER_ORGANIZATION_MAX)
        throw new ScimConnectionLimit();
      const now = this.work.now();
      const connection = Object.assign(new ScimConnection(), {
        tenantId: organization.tenantId,
        id: newId('scimConnection'),
        organizationId: organization.id,
        name: request.name,
        adoptExistingUsers: request.adoptExistingUsers ?? false,
        allowLocalChanges: request.allowLocalChanges ?? false,
        mode: request.mode ?? 'active',
        maxRemovals: request.maxRemovals === undefined ? DEFAULT_MAX_REMOVALS : request.maxRemovals,
        maxRemovalPercent: request.maxRemovalPercent ?? null,
        limitsPausedUntil: null,
        stoppedAt: null,
        restoredUsers: 0,
        setupLinkId: setupLinkOf(ctx),
        createdAt: now,
        updatedAt: now,
      } satisfies Omit<ScimConnection, 'version'>);
      await this.connections.insert(ctx, connection, gain);
      await this.work.publish(ctx, 'scim_connection.created', organization, scimConnectionData(connection));
      return connection;
    });
  }

  /** @throws ResourceNotFound (404), GrantBeyondOwn (403), ReauthenticationRequired (401), PreconditionFailed (412) */
  async update(ctx: RequestContext, id: string, request: UpdateScimConnectionRequest): Promise<ScimConnection> {
    const gain = this.authorizeDelegation(ctx);
    return this.work.run(ctx, async (ctx) => {
      const connection = await this.lock(ctx, id);
      assertUnchanged(ctx, connection.version);
      const before = scimConnectionData(connection);
      connection.name = request.name ?? connection.name;
      connection.adoptExistingUsers = request.adoptExistingUsers ?? connection.adoptExistingUsers;
      connection.allowLocalChanges = request.allowLocalChanges ?? connection.allowLocalChanges;
      if (request.maxRemovals !== undefined) connection.maxRemovals = request.maxRemovals;
      if (request.maxRemovalPercent !== undefined) connection.maxRemovalPercent = request.maxRemovalPercent;
      return this.save(ctx, connection, before, gain);
    });
  }

  /** Saves a connection and publishes its changes since `before`, in the transaction of the caller. Has no effect without a change. */
  async save(
    ctx: RequestContext,
    connection: ScimConnection,
    before: ScimConnectionData,
    gain: GainAuthorization,
  ): Promise<ScimConnection> {
    const changes = changesBetween(before, scimConnectionData(connection));
    if (Object.keys(changes).length === 0) return connection;
    connection.updatedAt = this.work.now();
    await this.connections.update(ctx, connection, gain);
    const data = { ...scimConnectionData(connection), changes };
    await this.work.publish(ctx, 'scim_connection.updated', organizationOf(ctx), data);
    return connection;
  }

  /**
   * Deletes a connection with its tokens. Its users and groups stay, and are managed with the API from then on.
   * @throws ResourceNotFound (404), GrantBeyondOwn (403), ReauthenticationRequired (401), PreconditionFailed (412)
   */
  async delete(ctx: RequestContext, id: string): Promise<void> {
    this.authorizeDelegation(ctx);
    const loss = this.privileges.authorizeRevocation(ctx, organizationOf(ctx), 'A SCIM connection', ['*']);
    await this.work.run(ctx, async (ctx) => {
      const connection = await this.lock(ctx, id);
      assertUnchanged(ctx, connection.version);
      await this.deletion.delete(ctx, connection.tenantId, [connection.id], loss);
      await this.work.publish(ctx, 'scim_connection.deleted', organizationOf(ctx), scimConnectionData(connection));
    });
  }

  /** Deletes what connections recorded in preview about a user who is deleted permanently. */
  async eraseUser(ctx: RequestContext, user: { readonly tenantId: string; readonly id: string }): Promise<void> {
    await this.deletion.deletePreviewOfUser(ctx, user);
  }

  /** Deletes the connections of purged organizations, in the transaction of the purge. */
  async onPurged(
    ctx: RequestContext,
    tenantId: string,
    organizationIds: readonly string[],
    loss: LossAuthorization,
  ): Promise<void> {
    await this.deletion.deleteByOrganizations(ctx, tenantId, organizationIds, loss);
  }

  /**
   * The directory gets power over the organization. A connection decides about all its users, also owners, and about the members of its
   * groups, whatever roles the groups have.
   * @throws GrantBeyondOwn (403), ReauthenticationRequired (401)
   */
  authorizeDelegation(ctx: RequestContext): GainAuthorization {
    return this.privileges.authorizePermissions(ctx, organizationOf(ctx), 'A SCIM connection', ['*']);
  }
}
