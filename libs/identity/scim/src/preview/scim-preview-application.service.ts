import { Injectable } from '@nestjs/common';
import { DomainError, type RequestContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { ScimActivationService, ScimConnectionStopped } from '#directory/scim-connections';
import { connectionOf } from '../access/scim-connection.js';
import { ScimGroupsService } from '../groups/scim-groups.service.js';
import { ScimUsersService } from '../users/scim-users.service.js';
import type { ScimPreviewGroup } from './scim-preview-group.entity.js';
import { ScimPreviewGroupRepository } from './scim-preview-group.repository.js';
import type { ScimPreviewUser } from './scim-preview-user.entity.js';
import { ScimPreviewUserRepository } from './scim-preview-user.repository.js';

/** Applies the changes that a preview recorded: users first, then groups. New users and groups get the announced ids. */
@Injectable()
export class ScimPreviewApplicationService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly userRows: ScimPreviewUserRepository,
    private readonly groupRows: ScimPreviewGroupRepository,
    private readonly users: ScimUsersService,
    private readonly groups: ScimGroupsService,
    private readonly activation: ScimActivationService,
  ) {}

  /**
   * Applies up to `limit` users or groups. A change that fails stays recorded with its error. Returns whether more is to do.
   * @throws ScimConnectionStopped (503) when a change would exceed a limit. The change stays recorded.
   */
  async applyBatch(ctx: RequestContext, limit: number): Promise<boolean> {
    const connection = connectionOf(ctx);
    const users = await this.userRows.listToApply(ctx, connection, limit);
    for (const row of users) await this.apply(ctx, row, this.userRows, (ctx, row) => this.applyUser(ctx, row));
    if (users.length > 0) return true;
    const groups = await this.groupRows.listToApply(ctx, connection, limit);
    for (const row of groups) await this.apply(ctx, row, this.groupRows, (ctx, row) => this.applyGroup(ctx, row));
    return groups.length > 0;
  }

  private async apply<Row extends ScimPreviewUser | ScimPreviewGroup>(
    ctx: RequestContext,
    row: Row,
    rows: {
      find(ctx: RequestContext, connection: { tenantId: string; id: string }, id: string): Promise<Row | null>;
      save(ctx: RequestContext, row: Row): Promise<void>;
      delete(ctx: RequestContext, connection: { tenantId: string; id: string }, id: string): Promise<void>;
    },
    change: (ctx: RequestContext, recorded: Row) => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.ifRecorded(ctx, row, rows, async (ctx, recorded) => {
        await change(ctx, recorded);
        await rows.delete(ctx, connectionOf(ctx), row.id);
      });
    } catch (error) {
      if (!(error instanceof DomainError) || error instanceof ScimConnectionStopped) throw error;
      await this.ifRecorded(ctx, row, rows, (ctx, recorded) => rows.save(ctx, Object.assign(recorded, { error: error.message })));
    }
  }

  /** Runs a change in a transaction, unless another process has applied the row, or all rows. */
  private ifRecorded<Row extends ScimPreviewUser | ScimPreviewGroup>(
    ctx: RequestContext,
    { id }: Row,
    rows: { find(ctx: RequestContext, connection: { tenantId: string; id: string }, id: string): Promise<Row | null> },
    change: (ctx: RequestContext, recorded: Row) => Promise<void>,
  ): Promise<void> {
    return this.work.run(ctx, async (ctx) => {
      const connection = connectionOf(ctx);
      await lockKey(ctx, 'scim-preview', connection.id);
      if ((await this.activation.lockMode(ctx, connection.id)) !== 'applying') return;
      const recorded = await rows.find(ctx, connection, id);
      if (recorded) await change(ctx, recorded);
    });
  }

  private applyUser(ctx: RequestContext, row: ScimPreviewUser): Promise<unknown> {
    const { id, action, adopts, userName, externalId, active, attributes } = row;
    if (action === 'delete') return this.users.delete(ctx, id, undefined);
    // The status changes only if the preview showed it, also when somebody suspended the user meanwhile.
    const changesStatus = action === 'create' || action === 'suspend' || action === 'activate';
    const resource = { ...attributes, userName, externalId, ...(changesStatus ? { active } : {}) };
    if (action === 'create' || adopts) return this.users.create(ctx, resource, { id, isExisting: adopts });
    return this.users.replace(ctx, id, resource, undefined);
  }

  private applyGroup(ctx: RequestContext, row: ScimPreviewGroup): Promise<unknown> {
    const { id, action, displayName, externalId, memberIds } = row;
    if (action === 'delete') return this.groups.delete(ctx, id, undefined);
    const resource = { displayName, externalId, members: memberIds.map((value) => ({ value })) };
    return action === 'create' ? this.groups.create(ctx, resource, id) : this.groups.replace(ctx, id, resource, undefined);
  }
}
