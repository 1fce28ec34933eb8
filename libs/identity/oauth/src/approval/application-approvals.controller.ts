import { Body, Controller, Get, HttpCode, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  type ListResponse,
  listResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import {
  ApplicationApprovalResponse,
  CreateApplicationApprovalRequest,
  DecideApplicationApprovalRequest,
  ListApplicationApprovalsQuery,
} from './application-approval.responses.js';
import { ApplicationApprovalsService, type ShownApproval } from './application-approvals.service.js';

const ID = { name: 'id', description: 'Id of the approval.', example: 'aap_01kf2bav4hf7r8v2m5n9q1c3ek' };
const NOT_FOUND = { 404: 'The organization or approval does not exist.' };
const NOT_OPEN = { ...NOT_FOUND, 409: 'The approval has another status (`application_approval_not_open`).' };
const OWN_PERMISSION = "Permissions from break-glass access don't count.";

@ApiTags('Application approvals')
@Controller('v1/organizations/:org/application-approvals')
export class ApplicationApprovalsController {
  constructor(private readonly approvals: ApplicationApprovalsService) {}

  @Get()
  @Requires('application_approvals:read')
  @ApiOperation({
    operationId: 'listApplicationApprovals',
    summary: 'List application approvals',
    description:
      'Returns the decisions about applications that the organization did not create, and the requests of users that wait for one. The setting `applicationApproval` decides whether users need an approval.',
  })
  @ApiList(ApplicationApprovalResponse)
  @ApiProblems({ 400: 'Invalid limit or cursor.', 404: 'The organization does not exist.' })
  async list(
    @Ctx() ctx: RequestContext,
    @Query() query: ListApplicationApprovalsQuery,
  ): Promise<ListResponse<ApplicationApprovalResponse>> {
    return listResponse(await this.approvals.list(ctx, PageQuery.read(query), query.status), ApplicationApprovalResponse.from);
  }

  @Get(':id')
  @Requires('application_approvals:read')
  @ApiIdParam(ID)
  @ApiOperation({ operationId: 'getApplicationApproval', summary: 'Get an application approval' })
  @ApiData(ApplicationApprovalResponse)
  @ApiProblems(NOT_FOUND)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ApplicationApprovalResponse>> {
    return dataOf(await this.approvals.get(ctx, id));
  }

  @Post()
  @Requires('application_approvals:write')
  @ApiOperation({
    operationId: 'createApplicationApproval',
    summary: 'Approve an application',
    description: `Approves an application for the users of the organization and its descendants, before anybody asks. Each user must still allow the access. ${OWN_PERMISSION} ${RECENT_SIGN_IN} Publishes \`oauth_client.approval_approved\`.`,
  })
  @ApiData(ApplicationApprovalResponse, { status: 201, description: 'The application is approved.' })
  @ApiProblems({
    404: 'The organization or OAuth client does not exist.',
    409: 'The application needs no approval (`application_approval_not_needed`).',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() { clientId }: CreateApplicationApprovalRequest,
  ): Promise<DataResponse<ApplicationApprovalResponse>> {
    return dataOf(await this.approvals.create(ctx, clientId));
  }

  @Post(':id/approve')
  @HttpCode(200)
  @Requires('application_approvals:write')
  @ApiIdParam(ID)
  @ApiOperation({
    operationId: 'approveApplication',
    summary: 'Approve a requested application',
    description: `Approves an application for the users of the organization and its descendants, and notifies the users who asked. Each user must still allow the access. ${OWN_PERMISSION} ${RECENT_SIGN_IN} Publishes \`oauth_client.approval_approved\`.`,
  })
  @ApiData(ApplicationApprovalResponse)
  @ApiProblems(NOT_OPEN)
  async approve(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<ApplicationApprovalResponse>> {
    return dataOf(await this.approvals.approve(ctx, id));
  }

  @Post(':id/deny')
  @HttpCode(200)
  @Requires('application_approvals:write')
  @ApiIdParam(ID)
  @ApiOperation({
    operationId: 'denyApplication',
    summary: 'Deny a requested application',
    description: `Denies the requests for an application, and notifies the users who asked. They can ask again after 24 hours. ${OWN_PERMISSION} ${RECENT_SIGN_IN} Publishes \`oauth_client.approval_denied\`.`,
  })
  @ApiData(ApplicationApprovalResponse)
  @ApiProblems(NOT_OPEN)
  async deny(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { note }: DecideApplicationApprovalRequest,
  ): Promise<DataResponse<ApplicationApprovalResponse>> {
    return dataOf(await this.approvals.deny(ctx, id, note ?? null));
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @Requires('application_approvals:write')
  @ApiIdParam(ID)
  @ApiOperation({
    operationId: 'revokeApplicationApproval',
    summary: 'Revoke the approval of an application',
    description: `Ends what users allowed the application in the organization and its descendants. Its codes and tokens stop working at once, except access tokens for other APIs, which are valid for up to 5 minutes. The caller must have every permission that these users have there. ${OWN_PERMISSION} ${RECENT_SIGN_IN} Publishes \`oauth_client.approval_revoked\`, and \`oauth_grant.revoked\` for each grant.`,
  })
  @ApiData(ApplicationApprovalResponse)
  @ApiProblems(NOT_OPEN)
  async revoke(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() { note }: DecideApplicationApprovalRequest,
  ): Promise<DataResponse<ApplicationApprovalResponse>> {
    return dataOf(await this.approvals.revoke(ctx, id, note ?? null));
  }
}

const dataOf = (approval: ShownApproval): DataResponse<ApplicationApprovalResponse> => ({
  data: ApplicationApprovalResponse.from(approval),
});
