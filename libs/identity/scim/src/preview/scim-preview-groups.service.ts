import { Injectable } from '@nestjs/common';
import { nameKey, newId, type RequestContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { ScimModeService } from '../access/scim-mode.service.js';
import { type Connection, connectionOf } from '../access/scim-connection.js';
import { memberChangeOf, type MemberChange } from '../groups/group-member-changes.js';
import { groupFieldsOf, readGroup } from '../groups/scim-group-fields.js';
import { ScimGroupReadsService } from '../groups/scim-group-reads.service.js';
import { type GroupRecord, ScimGroupsQuery } from '../groups/scim-groups.query.js';
import { applyPatch, readPatch } from '../protocol/patch.js';
import { assertComplete, type ScimObject } from '../protocol/resource.js';
import { GROUP_TYPE } from '../protocol/schemas.js';
import { ScimResourceNotFound, ScimUniqueness } from '../protocol/scim-errors.js';
import { ScimUserReadsService } from '../users/scim-user-reads.service.js';
import { type GroupAction, ScimPreviewGroup } from './scim-preview-group.entity.js';
import { ScimPreviewGroupRepository } from './scim-preview-group.repository.js';

/** Records what the connection in the request would do with groups. Answers as if it was done. */
@Injectable()
export class ScimPreviewGroupsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly query: ScimGroupsQuery,
    private readonly users: ScimUserReadsService,
    private readonly rows: ScimPreviewGroupRepository,
    private readonly reads: ScimGroupReadsService,
    private readonly mode: ScimModeService,
  ) {}

  /** @throws ScimRequestInvalid (400), ScimUniqueness (409) */
  async create(ctx: RequestContext, body: unknown): Promise<ScimObject> {
    const { resource, memberIds } = readGroup(body);
    return this.record(ctx, async (ctx, connection) => {
      const id = newId('group');
      await this.save(ctx, connection, id, 'create', resource, await this.changed(ctx, [], { add: memberIds }));
      return this.reads.get(ctx, id);
    });
  }

  /** @throws ScimResourceNotFound (404), ScimRequestInvalid (400), ScimUniqueness (409), ScimVersionMismatch (412) */
  async replace(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject> {
    const { resource, memberIds } = readGroup(body);
    return this.record(ctx, async (ctx, connection) => {
      await this.get(ctx, connection, id, ifMatch);
      const members = await this.changed(ctx, [], { add: memberIds });
      await this.save(ctx, connection, id, 'update', resource, members);
      return this.reads.get(ctx, id);
    });
  }

  /** @throws the errors of `replace` */
  async patch(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject | undefined> {
    const operations = readPatch(GROUP_TYPE, body);
    return this.record(ctx, async (ctx, connection) => {
      const { displayName, externalId } = await this.get(ctx, connection, id, ifMatch);
      const before = { displayName, ...(externalId === null ? {} : { externalId }) };
      const after = applyPatch(
        before,
        operations.filter(({ target }) => target.attribute.name !== 'members'),
      );
      assertComplete(GROUP_TYPE, after);
      let members = await this.query.listMemberIds(ctx, connection, id);
      for (const operation of operations.filter(({ target }) => target.attribute.name === 'members')) {
        const present = members;
        members = await this.changed(ctx, members, await memberChangeOf(operation, async () => present));
      }
      await this.save(ctx, connection, id, 'update', after, members);
      return this.reads.getAfterPatch(ctx, id);
    });
  }

  /** @throws ScimResourceNotFound (404), ScimVersionMismatch (412) */
  async delete(ctx: RequestContext, id: string, ifMatch: string | undefined): Promise<void> {
    await this.record(ctx, async (ctx, connection) => {
      const { displayName, externalId } = await this.get(ctx, connection, id, ifMatch);
      const row = await this.rows.find(ctx, connection, id);
      if (row?.action === 'create') await this.rows.delete(ctx, connection, id);
      else await this.save(ctx, connection, id, 'delete', { displayName, externalId }, []);
    });
  }

  /** Returns the members after a change. @throws ScimRequestInvalid (400) for users whom the connection never managed */
  private async changed(ctx: RequestContext, present: readonly string[], change: MemberChange): Promise<string[]> {
    if ('remove' in change) {
      const removed = new Set(change.remove);
      return present.filter((id) => !removed.has(id));
    }
    const added = await this.users.filterMembers(ctx, 'add' in change ? change.add : change.set);
    return [...new Set('add' in change ? [...present, ...added] : added)];
  }

  private async save(
    ctx: RequestContext,
    connection: Connection,
    id: string,
    action: GroupAction,
    resource: ScimObject,
    memberIds: string[],
  ): Promise<void> {
    const { name: displayName, externalId } = groupFieldsOf(resource);
    if (action !== 'delete' && (await this.query.isNameTaken(ctx, connection, displayName, id)))
      throw new ScimUniqueness(`The organization already has a group named "${displayName}".`);
    const existing = await this.rows.find(ctx, connection, id);
    const present = new Set(await this.query.listMemberIds(ctx, { ...connection, isPreview: false }, id));
    const added = memberIds.filter((each) => !present.has(each)).length;
    const now = this.work.now();
    const row = Object.assign(existing ?? new ScimPreviewGroup(), {
      tenantId: connection.tenantId,
      connectionId: connection.id,
      id,
      action: existing?.action === 'create' ? 'create' : action,
      deleted: action === 'delete',
      displayName,
      nameKey: nameKey(displayName),
      externalId,
      memberIds,
      membersAdded: added,
      membersRemoved: present.size - (memberIds.length - added),
      error: null,
      createdAt: existing?.createdAt ?? now,
      updatedAt: now,
    } satisfies Omit<ScimPreviewGroup, 'version'>);
    await this.rows.save(ctx, row);
  }

  /** Runs a change in a transaction. The changes of a connection are recorded one after another. @throws ScimConnectionStopped (503) */
  private record<T>(ctx: RequestContext, change: (ctx: RequestContext, connection: Connection) => Promise<T>): Promise<T> {
    const connection = connectionOf(ctx);
    return this.work.run(ctx, async (ctx) => {
      await lockKey(ctx, 'scim-preview', connection.id);
      await this.mode.lockUnchanged(ctx);
      return change(ctx, connection);
    });
  }

  private async get(ctx: RequestContext, connection: Connection, id: string, ifMatch: string | undefined): Promise<GroupRecord> {
    const record = await this.query.find(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('Group', id);
    await this.reads.assertVersion(ctx, record, ifMatch);
    return record;
  }
}
