import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { AppConfig } from '#platform/config';
import { lockKey } from '#platform/database';
import { DomainNotAllowed, EmailTaken } from '#directory/users';
import { baseUrlOf, type Connection, connectionOf } from '../access/scim-connection.js';
import type { Filter } from '../protocol/filter.js';
import type { Cursor, ListRequest, ResultPage } from '../protocol/lists.js';
import { applyPatch, readPatch } from '../protocol/patch.js';
import { isReturned, type Projection, project } from '../protocol/projection.js';
import { assertComplete, readResource, type ScimObject } from '../protocol/resource.js';
import { USER_TYPE } from '../protocol/schemas.js';
import { ScimRequestInvalid, ScimResourceNotFound, ScimUniqueness } from '../protocol/scim-errors.js';
import { assertVersion } from '../protocol/versions.js';
import { ScimProvisioningService } from './scim-provisioning.service.js';
import { emailKeysOf, fieldsOf, type UserFields } from './scim-user-fields.js';
import { ScimUserRepository } from './scim-user.repository.js';
import { attributesOf, userResource, versionOf } from './scim-user.resource.js';
import { ScimUsersQuery, type UserRecord } from './scim-users.query.js';

/** Reads and changes the users of the connection in the request, with the services of the API. */
@Injectable()
export class ScimUsersService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly query: ScimUsersQuery,
    private readonly scimUsers: ScimUserRepository,
    private readonly provisioning: ScimProvisioningService,
    private readonly config: AppConfig,
  ) {}

  /** @throws ScimResourceNotFound (404) */
  async get(ctx: RequestContext, id: string, projection: Projection): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const record = await this.query.find(ctx, connection, id, isReturned(projection, 'groups'));
    if (!record) throw new ScimResourceNotFound('User', id);
    return project(userResource(record, baseUrlOf(this.config, connection)), projection);
  }

  /** @throws ScimRequestInvalid (400) */
  async list(ctx: RequestContext, { filter, projection, count, page }: ListRequest): Promise<ResultPage> {
    const cursor = 'cursor' in page ? page.cursor : undefined;
    const total = cursor?.total ?? (await this.count(ctx, filter));
    if (count === 0) return { resources: [], total };
    const part = 'cursor' in page ? (cursor ? { after: cursor.after } : {}) : { offset: page.startIndex - 1 };
    const resources = await this.read(ctx, filter, { ...part, limit: count + 1 }, projection);
    const shown = resources.slice(0, count);
    const last = shown.at(-1)?.['id'] as string | undefined;
    const nextCursor: Cursor | undefined = resources.length > count && last !== undefined ? { after: last, total } : undefined;
    return { resources: shown, total, ...(nextCursor ? { nextCursor } : {}) };
  }

  count(ctx: RequestContext, filter: Filter | undefined): Promise<number> {
    return this.query.count(ctx, connectionOf(ctx), filter);
  }

  /** Returns a part of the users that match a filter, by id. @throws ScimRequestInvalid (400) */
  async read(
    ctx: RequestContext,
    filter: Filter | undefined,
    part: { readonly after?: string; readonly offset?: number; readonly limit: number },
    projection: Projection,
  ): Promise<ScimObject[]> {
    const connection = connectionOf(ctx);
    const base = baseUrlOf(this.config, connection);
    const records = await this.query.list(ctx, connection, filter, part, isReturned(projection, 'groups'));
    return records.map((record) => project(userResource(record, base), projection));
  }

  /**
   * Creates a user, or takes over an existing one if the connection allows it.
   * @throws ScimRequestInvalid (400), ScimUniqueness (409)
   */
  async create(ctx: RequestContext, body: unknown): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    const resource = readResource(USER_TYPE, body);
    assertComplete(USER_TYPE, resource);
    const fields = fieldsOf(resource);
    return this.explained(fields, () =>
      this.work.run(ctx, async (ctx) => {
        await this.assertUserNameFree(ctx, connection, resource, '');
        const user = await this.provisioning.createOrAdopt(ctx, connection, fields);
        await this.scimUsers.insert(ctx, this.rowOf(connection, user.id, resource, fields));
        if (resource['active'] === false && user.status !== 'suspended')
          await this.provisioning.suspend(ctx, connection, user.id);
        if (resource['active'] === true && user.status === 'suspended') await this.provisioning.activate(ctx, user.id);
        return this.resourceOf(ctx, connection, user.id);
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
    await this.work.run(ctx, async (ctx) => {
      const record = await this.lock(ctx, connectionOf(ctx), id);
      assertVersion(ifMatch, versionOf(record));
      await this.provisioning.delete(ctx, id);
    });
  }

  private async change(
    ctx: RequestContext,
    id: string,
    ifMatch: string | undefined,
    next: (current: ScimObject) => ScimObject,
  ): Promise<ScimObject> {
    const connection = connectionOf(ctx);
    return this.explained(undefined, () =>
      this.work.run(ctx, async (ctx) => {
        const record = await this.lock(ctx, connection, id);
        assertVersion(ifMatch, versionOf(record));
        const before = attributesOf(record);
        const after = next(before);
        assertComplete(USER_TYPE, after);
        if (JSON.stringify(sorted(before)) === JSON.stringify(sorted(after))) return this.resourceOf(ctx, connection, id);
        const fields = fieldsOf(after);
        await this.assertUserNameFree(ctx, connection, after, id);
        await this.provisioning.update(ctx, connection, record, fieldsOf(before), fields);
        const { active: wasActive = true, ...storedBefore } = before;
        const { active = true, ...storedAfter } = after;
        const isUnassigned = after['active'] === undefined;
        const wasUnassigned = record.attributes['active'] === null;
        if (isUnassigned !== wasUnassigned || JSON.stringify(sorted(storedBefore)) !== JSON.stringify(sorted(storedAfter)))
          await this.scimUsers.update(ctx, this.rowOf(connection, id, isUnassigned ? { ...after, active: null } : after, fields));
        if (active === false && wasActive === true) await this.provisioning.suspend(ctx, connection, id);
        if (active === true && wasActive === false) await this.provisioning.activate(ctx, id);
        return this.resourceOf(ctx, connection, id);
      }),
    );
  }

  /** @throws ScimUniqueness (409) */
  private async assertUserNameFree(
    ctx: RequestContext,
    connection: Connection,
    resource: ScimObject,
    exceptId: string,
  ): Promise<void> {
    const userName = String(resource['userName']);
    const key = userName.toLowerCase();
    await lockKey(ctx, 'scim-user-name', connection.id, key);
    if (await this.query.isUserNameTaken(ctx, connection, key, exceptId))
      throw new ScimUniqueness(`Another user of this connection has the userName "${userName}".`);
  }

  private async lock(ctx: RequestContext, connection: Connection, id: string): Promise<UserRecord> {
    const record = await this.query.lock(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('User', id);
    return record;
  }

  private async resourceOf(ctx: RequestContext, connection: Connection, id: string): Promise<ScimObject> {
    const record = await this.query.find(ctx, connection, id);
    if (!record) throw new ScimResourceNotFound('User', id);
    return userResource(record, baseUrlOf(this.config, connection));
  }

  private rowOf(connection: Connection, userId: string, resource: ScimObject, { email }: UserFields) {
    const { userName, externalId = null, active, ...others } = resource;
    // A removed `active` is stored, because the user is active without it.
    const attributes = active === null ? { ...others, active } : others;
    return {
      tenantId: connection.tenantId,
      userId,
      connectionId: connection.id,
      userName: String(userName),
      userNameKey: String(userName).toLowerCase(),
      externalId: externalId as string | null,
      emailKeys: emailKeysOf(resource, email),
      attributes,
      updatedAt: this.work.now(),
    };
  }

  /** Explains errors of the services in the terms of SCIM. @throws ScimUniqueness (409), ScimRequestInvalid (400) */
  private async explained<T>(fields: UserFields | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DomainNotAllowed) throw new ScimRequestInvalid('invalidValue', error.message);
      if (!(error instanceof EmailTaken)) throw error;
      const address = fields ? `the email address "${fields.email}"` : 'this email address';
      throw new ScimUniqueness(
        `Another user of this tenant has ${address}. If another connection provisions the user, remove the user there first. If the organization manages the user, set "adoptExistingUsers" of the connection and verify the domain of the address.`,
      );
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
