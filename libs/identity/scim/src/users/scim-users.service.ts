import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { ScimConnectionStopped, ScimLimitExceeded } from '#directory/scim-connections';
import { type Connection, connectionOf } from '../access/scim-connection.js';
import { applyPatch, readPatch } from '../protocol/patch.js';
import { assertComplete, readResource, type ScimObject } from '../protocol/resource.js';
import { USER_TYPE } from '../protocol/schemas.js';
import { ScimResourceNotFound } from '../protocol/scim-errors.js';
import { assertVersion } from '../protocol/versions.js';
import { type AnnouncedUser, ScimProvisioningService } from './scim-provisioning.service.js';
import { explainedError } from './explained-error.js';
import { fieldsOf, keysOf, type UserFields } from './scim-user-fields.js';
import { userNameKeyOf } from './user-name.js';
import { ScimUserRepository } from './scim-user.repository.js';
import { ScimRemovalService } from './scim-removal.service.js';
import { ScimUserReadsService } from './scim-user-reads.service.js';
import { attributesOf, versionOf } from './scim-user.resource.js';
import { ScimUsersQuery, type UserRecord } from './scim-users.query.js';

/** Changes the users of the connection in the request, with the services of the API. */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly query: ScimUsersQuery,
    private readonly scimUsers: ScimUserRepository,
    private readonly provisioning: ScimProvisioningService,
    private readonly removals: ScimRemovalService,
    private readonly reads: ScimUserReadsService,
  ) {}

  /**
   * Creates a user, or takes over an existing one if the connection allows it. `announced` is the user that a preview announced.
   * @throws ScimRequestInvalid (400), ScimUniqueness (409), ScimResourceNotFound (404) when the announced user can't be taken over anymore
   */
  async create(ctx: RequestContext, body: unknown, announced?: AnnouncedUser): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const resource = readResource(USER_TYPE, body);
    assertComplete(USER_TYPE, resource);
    const fields = fieldsOf(resource);
    return this.explained(ctx, fields, () =>
      this.work.run(ctx, async (ctx) => {
        await this.reads.assertUserNameFree(ctx, String(resource['userName']), '');
        const { user, wasUsable } = await this.provisioning.createOrAdopt(ctx, connection, fields, announced);
        this.scimUsers.insert(ctx, this.rowOf(connection, user.id, resource, fields));
        if (resource['active'] === false && !wasUsable) await this.removals.suspendNew(ctx, connection, user.id);
        else if (resource['active'] === false && user.status !== 'suspended')
          await this.removals.suspend(ctx, connection, user.id);
        if (resource['active'] === true && user.status === 'suspended') await this.removals.activate(ctx, connection, user.id);
        return this.reads.get(ctx, user.id);
      }),
    );
  }

  /** Replaces the attributes of a user. @throws ScimResourceNotFound (404), ScimRequestInvalid (400), ScimUniqueness (409), ScimVersionMismatch (412) */
  async replace(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject> {
    const resource = readResource(USER_TYPE, body);
    return this.change(ctx, id, ifMatch, (current) => ({ active: current['active'], ...resource }));
  }

  /** Applies the operations of a PATCH request. @throws the errors of `replace` */
  async patch(ctx: RequestContext, id: string, body: unknown, ifMatch: string | undefined): Promise<ScimObject> {
    const operations = readPatch(USER_TYPE, body);
    return this.change(ctx, id, ifMatch, (current) => applyPatch(current, operations));
  }

  /** Deletes a user, who can be restored for 30 days. @throws ScimResourceNotFound (404), ScimVersionMismatch (412) */
  async delete(ctx: RequestContext, id: string, ifMatch: string | undefined): Promise<void> {
    const connection = connectionOf(ctx);
    await this.explained(ctx, undefined, () =>
      this.work.run(ctx, async (ctx) => {
        const record = await this.lock(ctx, connection, id);
        assertVersion(ifMatch, versionOf(record));
        await this.removals.delete(ctx, connection, id);
      }),
    );
  }

  private async change(
    ctx: RequestContext,
    id: string,
    ifMatch: string | undefined,
    next: (current: ScimObject) => ScimObject,
  ): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    return this.explained(ctx, undefined, () =>
      this.work.run(ctx, async (ctx) => {
        const record = await this.lock(ctx, connection, id);
        assertVersion(ifMatch, versionOf(record));
        const before = attributesOf(record);
        const after = next(before);
        assertComplete(USER_TYPE, after);
        if (JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))) return this.reads.get(ctx, id);
        const fields = fieldsOf(after);
        const reservesName = await this.reserveNewName(ctx, record, after);
        await this.provisioning.update(ctx, connection, record, fieldsOf(before), fields);
        const { active: wasActive = true, ...storedBefore } = before;
        const { active = true, ...storedAfter } = after;
        const isUnassigned = after['active'] === undefined;
        const wasUnassigned = record.attributes['active'] === null;
        if (isUnassigned !== wasUnassigned || JSON.stringify(sorted(storedBefore)) !== JSON.stringify(sorted(storedAfter)))
          await this.scimUsers.update(ctx, {
            ...this.rowOf(connection, id, isUnassigned ? { ...after, active: null } : after, fields),
            ...reservesName,
          });
        if (active === false && wasActive === true) await this.removals.suspend(ctx, connection, id);
        if (active === true && wasActive === false) await this.removals.activate(ctx, connection, id);
        return this.reads.get(ctx, id);
      }),
    );
  }

  /** A user keeps a name that another user has, too, so that every other change is possible. @throws ScimUniqueness (409) */
  private async reserveNewName(
    ctx: RequestContext,
    { id, userNameKey }: UserRecord,
    after: ScimObject,
  ): Promise<{ reservesName?: true }> {
    const userName = String(after['userName']);
    if (userNameKeyOf(userName) === userNameKey) return {};
    await this.reads.assertUserNameFree(ctx, userName, id);
    return { reservesName: true };
  }

  private async lock(ctx: RequestContext, connection: Connection, id: string): Promise<UserRecord> {
    const record = await this.query.lock(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('User', id);
    return record;
  }

  private rowOf(connection: Connection, userId: string, resource: ScimObject, fields: UserFields) {
    const { userName: _userName, externalId: _externalId, active, ...others } = resource;
    // A removed `active` is stored, because the user is active without it.
    const attributes = active === null ? { ...others, active } : others;
    const { tenantId, id: connectionId } = connection;
    return { tenantId, userId, connectionId, ...keysOf(resource, fields), attributes, updatedAt: this.work.now() };
  }

  /** Explains errors of the services in the terms of SCIM. Stops the connection when a limit is exceeded. @throws ScimUniqueness (409), ScimRequestInvalid (400) */
  private async explained<T>(ctx: RequestContext, fields: UserFields | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof ScimLimitExceeded) {
        await this.removals.stop(ctx, connectionOf(ctx));
        throw new ScimConnectionStopped();
      }
      throw explainedError(error, fields);
    }
  }
}

/** Returns the object with sorted names, for comparisons. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([first], [second]) => (first < second ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  );
}
