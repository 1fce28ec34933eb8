import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { Clock, organizationOf, type RequestContext } from '#platform/common';
import { ApiData, Ctx, type DataResponse, Requires } from '#platform/http';
import { restorableUntil } from '../restore-window.js';
import { OrganizationDeletionQuery } from './organization-deletion.query.js';

/** The numbers of organizations and users that the deletion of an organization would delete. */
export class OrganizationDeletionResponse {
  @ApiProperty({ type: 'integer', description: 'Number of descendant organizations.', example: 3 })
  organizationsBelow!: number;
  @ApiProperty({ type: 'integer', description: 'Number of users that the organization and its descendants manage.', example: 42 })
  users!: number;
  @ApiProperty({
    format: 'date-time',
    description: 'Time until which the organization could be restored if it were deleted now.',
    example: '2026-02-14T09:00:00.000Z',
  })
  restorableUntil!: string;
}

@ApiTags('Organizations')
@Controller('v1/organizations/:org/deletion')
export class OrganizationDeletionController {
  constructor(
    private readonly organizationDeletion: OrganizationDeletionQuery,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Requires('organizations:delete')
  @ApiOperation({
    operationId: 'previewOrganizationDeletion',
    summary: 'Preview the deletion of an organization',
    description:
      'Returns how many descendant organizations and users would be deleted if you deleted the organization with `cascade=true`. Nothing is changed.',
  })
  @ApiData(OrganizationDeletionResponse)
  async preview(@Ctx() ctx: RequestContext): Promise<DataResponse<OrganizationDeletionResponse>> {
    const counts = await this.organizationDeletion.counts(ctx, organizationOf(ctx));
    return { data: { ...counts, restorableUntil: restorableUntil(this.clock.now()).toISOString() } };
  }
}
