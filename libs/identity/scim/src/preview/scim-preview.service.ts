import { Injectable } from '@nestjs/common';
import type { Page, PageRequest, RequestContext } from '#platform/common';
import { ScimConnectionsService } from '#directory/scim-connections';
import type { GroupAction, ScimPreviewGroup } from './scim-preview-group.entity.js';
import { ScimPreviewGroupRepository } from './scim-preview-group.repository.js';
import type { ScimPreviewUser, UserAction } from './scim-preview-user.entity.js';
import { ScimPreviewUserRepository } from './scim-preview-user.repository.js';
import { ScimPreviewQuery } from './scim-preview.query.js';
import type { ScimPreviewResponse } from './scim-preview.responses.js';

/** Reads what the connections of the organization in the request would do. */
@Injectable()
export class ScimPreviewService {
  constructor(
    private readonly connections: ScimConnectionsService,
    private readonly query: ScimPreviewQuery,
    private readonly users: ScimPreviewUserRepository,
    private readonly groups: ScimPreviewGroupRepository,
  ) {}

  /** @throws ResourceNotFound (404) */
  async summarize(ctx: RequestContext, connectionId: string): Promise<ScimPreviewResponse> {
    const connection = await this.connections.get(ctx, connectionId);
    const users = { create: 0, adopt: 0, update: 0, suspend: 0, activate: 0, delete: 0 };
    for (const { action, adopts, count } of await this.query.countUsers(ctx, connection)) {
      if (adopts) users.adopt += count;
      if (action !== 'adopt') users[action] += count;
    }
    const groups = { create: 0, update: 0, delete: 0, membersAdded: 0, membersRemoved: 0 };
    for (const { action, count, membersAdded, membersRemoved } of await this.query.countGroups(ctx, connection)) {
      groups[action] = count;
      groups.membersAdded += membersAdded;
      groups.membersRemoved += membersRemoved;
    }
    return { users: { ...users, removedOwners: await this.query.countRemovedOwners(ctx, connection) }, groups };
  }

  /** @throws ResourceNotFound (404), InvalidCursor (400) */
  async listUsers(
    ctx: RequestContext,
    connectionId: string,
    action: UserAction | undefined,
    request: PageRequest,
  ): Promise<Page<ScimPreviewUser>> {
    return this.users.list(ctx, await this.connections.get(ctx, connectionId), action, request);
  }

  /** @throws ResourceNotFound (404), InvalidCursor (400) */
  async listGroups(
    ctx: RequestContext,
    connectionId: string,
    action: GroupAction | undefined,
    request: PageRequest,
  ): Promise<Page<ScimPreviewGroup>> {
    return this.groups.list(ctx, await this.connections.get(ctx, connectionId), action, request);
  }
}
