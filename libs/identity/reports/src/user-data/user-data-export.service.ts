import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  hasPermission,
  type OrganizationScope,
  ownUserOf,
  permissionsAt,
  type RequestContext,
  ResourceNotFound,
  type ServicePermission,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type DataSubject, PersonalDataSources } from '#platform/personal-data';
import type { AuthorizeAgain } from '#platform/http';
import { tenantIdsOf } from '#directory/memberships';
import { PrivilegesService } from '#directory/privileges';
import { type User, UserAccessService, UserActivationService } from '#directory/users';
import { assertAllPermissions } from '../report-errors.js';

/** The permissions that reading each section with its own operation requires. */
export const USER_DATA_PERMISSIONS = [
  'users:read',
  'members:read',
  'roles:read',
  'sessions:read',
  'events:read',
  'api_keys:read',
  'webhooks:read',
] as const satisfies ServicePermission[];

/** Exports all data that is stored about one user. */
@Injectable()
export class UserDataExportService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly userAccess: UserAccessService,
    private readonly userActivation: UserActivationService,
    private readonly privileges: PrivilegesService,
    private readonly sources: PersonalDataSources,
  ) {}

  /**
   * Returns the JSON of the export in pieces, for an administrator. The caller must have all permissions of the user, because the export
   * contains more about the user than any other operation. Contains only data of organizations that the caller can read, in the tenant of
   * the user.
   * @throws ResourceNotFound (404), ReportPermissionsRequired, ManagedElsewhere, HigherPrivileges (403), ReauthenticationRequired (401)
   */
  async *exportUser(ctx: RequestContext, userId: string, authorizeAgain: AuthorizeAgain): AsyncGenerator<string> {
    assertAllPermissions(ctx.caller.permissions, USER_DATA_PERMISSIONS);
    const { user, managingOrganization } = await this.userAccess.findManaged(ctx, userId);
    assertAllPermissions(permissionsAt(ctx.caller, managingOrganization), USER_DATA_PERMISSIONS);
    await this.privileges.authorizeLoss(ctx, [user]);
    const isPlatform = ctx.caller.kind === 'platform';
    const subject = {
      ...subjectOf(user),
      tenantIds: isPlatform ? tenantIdsOf(user) : [user.tenantId],
      organizationIds: isPlatform ? null : readableOrganizationIds(ctx, managingOrganization),
    };
    yield* this.export(ctx, subject, { managingOrganization, requestedBy: 'administrator' }, authorizeAgain);
  }

  /** Returns the JSON of the export in pieces, for the signed-in user. @throws ResourceNotFound (404), ReauthenticationRequired (401) */
  async *exportOwn(ctx: RequestContext, authorizeAgain: AuthorizeAgain): AsyncGenerator<string> {
    const key = ownUserOf(ctx);
    const owner = await this.userActivation.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    const { user, managingOrganization } = owner;
    const subject = { ...subjectOf(user), tenantIds: tenantIdsOf(user), organizationIds: null };
    yield* this.export(ctx, subject, { managingOrganization, requestedBy: 'user' }, authorizeAgain);
  }

  private async *export(
    ctx: RequestContext,
    subject: DataSubject,
    { managingOrganization, requestedBy }: { managingOrganization: OrganizationScope; requestedBy: 'user' | 'administrator' },
    authorizeAgain: AuthorizeAgain,
  ): AsyncGenerator<string> {
    const now = this.work.now();
    assertRecentlyAuthenticated(ctx, now);
    const { id: userId, email } = subject;
    await this.work.run(ctx, (ctx) =>
      this.work.publish(ctx, 'user.data_exported', managingOrganization, { userId, email, requestedBy }, { userId }),
    );
    yield `{"exportedAt":${JSON.stringify(now)},"userId":${JSON.stringify(userId)}`;
    for await (const { name, single, batches } of this.sources.read(ctx, subject)) {
      yield `,${JSON.stringify(name)}:${single ? '' : '['}`;
      let separator = '';
      for await (const rows of batches) {
        await authorizeAgain();
        if (rows.length === 0) continue;
        yield separator + rows.map((row) => JSON.stringify(row)).join(',');
        separator = ',';
      }
      yield single ? '' : ']';
    }
    yield '}\n';
  }
}

const subjectOf = ({
  id,
  tenantId,
  email,
  phoneNumber,
}: User): Pick<DataSubject, 'id' | 'tenantId' | 'email' | 'phoneNumber'> => ({
  id,
  tenantId,
  email,
  phoneNumber,
});

/** Returns the organizations in which the caller has all required permissions. Their descendants count, too. */
function readableOrganizationIds({ caller }: RequestContext, managingOrganization: OrganizationScope): readonly string[] {
  if (!caller.grants) return caller.organizationIds ?? [];
  const readable = caller.grants.filter(({ permissions }) =>
    USER_DATA_PERMISSIONS.every((permission) => hasPermission(permissions, permission)),
  );
  return [...new Set([managingOrganization.id, ...readable.map(({ organizationId }) => organizationId)])];
}
