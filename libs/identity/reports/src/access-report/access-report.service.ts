import { Injectable } from '@nestjs/common';
import {
  assertRecentlyAuthenticated,
  hasPermission,
  organizationOf,
  permissionsAt,
  type RequestContext,
  type ServicePermission,
} from '#platform/common';
import { UnitOfWork } from '#platform/events';
import type { AuthorizeAgain } from '#platform/http';
import { OrganizationScopeQuery } from '#directory/organizations';
import { assertAllPermissions } from '../report-errors.js';
import { AccessReportBatchesService, type ReportedOrganization } from './access-report-batches.service.js';
import { type ReportFormat, reportHeader, reportLines } from './access-report-file.js';

/** The permissions that reading users, members, roles and API keys requires. */
export const ACCESS_REPORT_PERMISSIONS = [
  'users:read',
  'members:read',
  'roles:read',
  'api_keys:read',
] as const satisfies ServicePermission[];

/** Reports who has which permissions in an organization. */
@Injectable()
export class AccessReportService {
  constructor(
    private readonly batches: AccessReportBatchesService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Returns the report in pieces of up to 500 lines: the lines of the organization, then the lines of its ancestors from the parent to the
   * root. Authorizes the caller again before each piece.
   * @throws ReportPermissionsRequired (403), ReauthenticationRequired (401)
   */
  async *run(ctx: RequestContext, format: ReportFormat, authorizeAgain: AuthorizeAgain): AsyncGenerator<string> {
    assertAllPermissions(ctx.caller.permissions, ACCESS_REPORT_PERMISSIONS);
    assertRecentlyAuthenticated(ctx, this.work.now());
    const organizations = await this.listOrganizations(ctx);
    await this.publishExport(ctx, format);
    let header = reportHeader(format);
    for (const each of organizations) {
      for await (const rows of this.batches.read(ctx, each)) {
        yield header + reportLines(rows, format);
        header = '';
        const current = await authorizeAgain();
        assertAllPermissions(current.caller.permissions, ACCESS_REPORT_PERMISSIONS);
      }
    }
    if (header !== '') yield header;
  }

  /** Publishes the event with the present name of the organization. */
  private async publishExport({ asOf, ...ctx }: RequestContext, format: ReportFormat): Promise<void> {
    const organization = (asOf !== undefined && (await this.scopes.findById(ctx, organizationOf(ctx)))) || organizationOf(ctx);
    const data = { format, ...(asOf === undefined ? {} : { asOf }) };
    await this.work.run(ctx, (ctx) => this.work.publish(ctx, 'organization.access_report_exported', organization, data));
  }

  /** Returns the organization of the request and its ancestors, from the organization to the root. The caller has the present permissions. */
  private async listOrganizations(ctx: RequestContext): Promise<ReportedOrganization[]> {
    const organization = organizationOf(ctx);
    const { tenantId, ancestorIds } = organization;
    const found = ancestorIds.length > 0 ? await this.scopes.listByIds(ctx, tenantId, ancestorIds) : [];
    const { asOf, ...present } = ctx;
    const authorized =
      asOf === undefined || ancestorIds.length === 0 ? found : await this.scopes.listByIds(present, tenantId, ancestorIds);
    const ancestors = ancestorIds.toReversed().flatMap((id) => found.filter((ancestor) => ancestor.id === id));
    const inherited = ancestors.map((ancestor): ReportedOrganization => {
      const now = authorized.find(({ id }) => id === ancestor.id);
      const permissions = now ? permissionsAt(ctx.caller, now) : [];
      const showsPeople = ACCESS_REPORT_PERMISSIONS.every((permission) => hasPermission(permissions, permission));
      return { ...ancestor, inherited: true, showsPeople };
    });
    return [{ ...organization, inherited: false, showsPeople: true }, ...inherited];
  }
}
