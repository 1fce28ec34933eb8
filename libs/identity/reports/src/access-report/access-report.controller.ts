import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { organizationOf, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { ApiProblems, authorizeAgainOf, Ctx, MEDIA_TYPES, Requires, sendDownload, type ServiceRequest } from '#platform/http';
import { AsOf } from '#directory/organizations';
import type { Response } from 'express';
import { AccessReportQueryParameters } from './access-report.requests.js';
import { AccessAssignerResponse, AccessReportRowResponse } from './access-report.responses.js';
import { AccessReportService } from './access-report.service.js';

const CSV_EXAMPLE =
  'kind,id,email,name,status,roleId,role,permissions,source,inherited,organizationId,organizationName,assignedByType,assignedById,assignedByEmail,assignedAt,expiresAt,lastUsedAt,groupId,group\r\n';

@ApiTags('Organizations')
@Controller('v1/organizations/:org/access-report')
export class AccessReportController {
  constructor(private readonly report: AccessReportService) {}

  @AsOf({ otherParameters: true })
  @Get()
  @Requires('roles:read')
  @ApiOperation({
    operationId: 'exportAccessReport',
    summary: 'Export an access report',
    description:
      'Streams who has which permissions in the organization: one line for each role of a user, for each role that a user has through a group, and for each API key, also if the permissions are inherited from an ancestor organization. The lines of the organization come first, then the lines of its parent, up to the root organization; in each organization by user and role, then roles of groups by group, user and role, then break-glass access, then API keys. Reports of unchanged organizations therefore have the same order. Deleted users, revoked API keys and expired API keys are not in the report. With `asOf`, the report shows the access at a past moment; API keys and sessions have no history, so the expiration of API keys is the present one, and `lastUsedAt` is the last sign-in of a user and null for API keys.\n\n' +
      'The caller also needs the permissions `users:read`, `members:read` and `api_keys:read`. In a CSV file, an apostrophe is put before each value that a spreadsheet would run as a formula. ' +
      RECENT_SIGN_IN +
      ' Publishes `organization.access_report_exported`.',
  })
  @ApiExtraModels(AccessReportRowResponse, AccessAssignerResponse)
  @ApiResponse({
    status: 200,
    description: 'A file with one `AccessReportRowResponse` per line. A CSV file starts with a header row.',
    content: {
      [MEDIA_TYPES.ndjson]: {
        // @nestjs/swagger has no type for `contentSchema` of OpenAPI 3.1.
        schema: { type: 'string', contentSchema: { $ref: getSchemaPath(AccessReportRowResponse) } } as object,
      },
      [MEDIA_TYPES.csv]: { schema: { type: 'string' }, example: CSV_EXAMPLE },
    },
  })
  @ApiProblems({ 403: 'The caller lacks one of the required permissions (`forbidden`).' })
  async export(
    @Ctx() ctx: RequestContext,
    @Query() { format = 'ndjson' }: AccessReportQueryParameters,
    @Req() request: ServiceRequest,
    @Res() response: Response,
  ): Promise<void> {
    const filename = `access-report-${organizationOf(ctx).slug}.${format}`;
    await sendDownload(response, { format, filename }, this.report.run(ctx, format, authorizeAgainOf(request)));
  }
}
