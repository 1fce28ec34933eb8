import { Injectable } from '@nestjs/common';
import { emailKey, newId, type RequestContext } from '#platform/common';
import { lockKey } from '#platform/database';
import { UnitOfWork } from '#platform/events';
import { ScimModeService } from '../access/scim-mode.service.js';
import { type Connection, connectionOf } from '../access/scim-connection.js';
import { applyPatch, readPatch } from '../protocol/patch.js';
import { assertComplete, readResource, type ScimObject } from '../protocol/resource.js';
import { USER_TYPE } from '../protocol/schemas.js';
import { ScimResourceNotFound, ScimUniqueness } from '../protocol/scim-errors.js';
import { assertVersion } from '../protocol/versions.js';
import { ScimProvisioningService } from '../users/scim-provisioning.service.js';
import { explainedError } from '../users/explained-error.js';
import { fieldsOf, keysOf } from '../users/scim-user-fields.js';
import { ScimUserReadsService } from '../users/scim-user-reads.service.js';
import { attributesOf, versionOf } from '../users/scim-user.resource.js';
import { userNameKeyOf } from '../users/user-name.js';
import { ScimUsersQuery, type UserRecord } from '../users/scim-users.query.js';
import { ScimPreviewUser, type UserAction } from './scim-preview-user.entity.js';
import { ScimPreviewUserRepository } from './scim-preview-user.repository.js';

type UserChange = Pick<ScimPreviewUser, 'action' | 'adopts'>;

const CREATION: UserChange = { action: 'create', adopts: false };

/** Records what the connection in the request would do with users. Answers as if it was done. */
@Injectable()
export class ScimPreviewUsersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly query: ScimUsersQuery,
    private readonly rows: ScimPreviewUserRepository,
    private readonly provisioning: ScimProvisioningService,
    private readonly reads: ScimUserReadsService,
    private readonly mode: ScimModeService,
  ) {}

  /** @throws ScimRequestInvalid (400), ScimUniqueness (409) */
  async create(ctx: RequestContext, body: unknown): Promise<ScimObject> {
    const resource = readResource(USER_TYPE, body);
    assertComplete(USER_TYPE, resource);
    const { email } = fieldsOf(resource);
    return this.record(ctx, async (ctx, connection) => {
      await this.reads.assertUserNameFree(ctx, String(resource['userName']), '');
      await this.assertEmailFree(ctx, connection, email, '');
      const existing = await this.provisioning.findAdoptable(ctx, connection, email);
      const id = existing?.id ?? newId('user');
      // A directory that doesn't say whether the user is active leaves the status of an existing user as it is.
      const active = resource['active'] ?? existing?.status !== 'suspended';
      const shown = { ...resource, active };
      const change = existing ? changeOf(existing.status, shown, true) : CREATION;
      await this.save(ctx, connection, id, change, shown);
      return this.reads.get(ctx, id);
    });
  }

  /** @throws ScimResourceNotFound (404), ScimRequestInvalid (400), ScimUniqueness (409), ScimVersionMismatch (412) */
  async replace(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject> {
    const resource = readResource(USER_TYPE, body);
    return this.change(ctx, id, ifMatch, (current) => ({ active: current['active'], ...resource }));
  }

  /** @throws the errors of `replace` */
  async patch(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject> {
    const operations = readPatch(USER_TYPE, body);
    return this.change(ctx, id, ifMatch, (current) => applyPatch(current, operations));
  }

  /** @throws ScimResourceNotFound (404), ScimVersionMismatch (412) */
  async delete(ctx: RequestContext, id: string, ifMatch: string | undefined): Promise<void> {
    await this.record(ctx, async (ctx, connection) => {
      const record = await this.get(ctx, connection, id);
      assertVersion(ifMatch, versionOf(record));
      const row = await this.rows.find(ctx, connection, id);
      if (row?.action === 'create' || row?.adopts) await this.rows.delete(ctx, connection, id);
      else await this.save(ctx, connection, id, { action: 'delete', adopts: false }, attributesOf(record));
    });
  }

  private async change(
    ctx: RequestContext,
    id: string,
    ifMatch: string | undefined,
    next: (current: ScimObject) => ScimObject,
  ): Promise<ScimObject> {
    return this.record(ctx, async (ctx, connection) => {
      const record = await this.get(ctx, connection, id);
      assertVersion(ifMatch, versionOf(record));
      const after = next(attributesOf(record));
      assertComplete(USER_TYPE, after);
      const { email } = fieldsOf(after);
      const userName = String(after['userName']);
      if (userNameKeyOf(userName) !== record.userNameKey) await this.reads.assertUserNameFree(ctx, userName, id);
      if (emailKey(email) !== emailKey(record.email)) {
        await this.assertEmailFree(ctx, connection, email, id);
        await this.provisioning.assertEmailFree(ctx, connection, email, id);
      }
      await this.save(ctx, connection, id, await this.changeFor(ctx, connection, id, after), after);
      return this.reads.get(ctx, id);
    });
  }

  private async changeFor(ctx: RequestContext, connection: Connection, id: string, after: ScimObject): Promise<UserChange> {
    const row = await this.rows.find(ctx, connection, id);
    if (row?.action === 'create') return CREATION;
    return changeOf(await this.query.findStatus(ctx, connection, id), after, row?.adopts ?? false);
  }

  private async save(
    ctx: RequestContext,
    { tenantId, id: connectionId }: Connection,
    id: string,
    { action, adopts }: UserChange,
    resource: ScimObject,
  ): Promise<void> {
    const { userName: _userName, externalId: _externalId, active, ...attributes } = resource;
    const fields = fieldsOf(resource);
    const existing = await this.rows.find(ctx, { tenantId, id: connectionId }, id);
    const now = this.work.now();
    const row = Object.assign(existing ?? new ScimPreviewUser(), {
      tenantId,
      connectionId,
      id,
      action,
      adopts,
      deleted: action === 'delete',
      active: active !== false,
      email: fields.email,
      emailKey: emailKey(fields.email),
      ...keysOf(resource, fields),
      fields,
      attributes,
      error: null,
      createdAt: existing?.createdAt ?? now,
      updatedAt: now,
    } satisfies Omit<ScimPreviewUser, 'version'>);
    await this.rows.save(ctx, row);
  }

  /** Runs a change in a transaction. The changes of a connection are recorded one after another. @throws ScimConnectionStopped (503) */
  private async record<T>(ctx: RequestContext, change: (ctx: RequestContext, connection: Connection) => Promise<T>): Promise<T> {
    const connection = connectionOf(ctx);
    try {
      return await this.work.run(ctx, async (ctx) => {
        await lockKey(ctx, 'scim-preview', connection.id);
        await this.mode.lockUnchanged(ctx);
        return change(ctx, connection);
      });
    } catch (error) {
      throw explainedError(error, undefined);
    }
  }

  private async get(ctx: RequestContext, connection: Connection, id: string): Promise<UserRecord> {
    const record = await this.query.find(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('User', id);
    return record;
  }

  /** @throws ScimUniqueness (409) when a recorded user has the address */
  private async assertEmailFree(ctx: RequestContext, connection: Connection, email: string, exceptId: string): Promise<void> {
    const row = await this.rows.findByEmail(ctx, connection, emailKey(email));
    if (row && row.id !== exceptId) throw new ScimUniqueness(`Another user of this connection has the email address "${email}".`);
  }
}

/** Returns what a change would do with a user who exists. `status` is the present status. */
function changeOf(status: string | undefined, after: ScimObject, adopts: boolean): UserChange {
  const isActive = after['active'] !== false;
  const unchanged: UserAction = adopts ? 'adopt' : 'update';
  if ((status !== 'suspended') === isActive) return { action: unchanged, adopts };
  return { action: isActive ? 'activate' : 'suspend', adopts };
}
