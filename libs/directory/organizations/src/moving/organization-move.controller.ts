import { Body, Controller, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, RECENT_SIGN_IN, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, Post, Requires, withETag } from '#platform/http';
import { SettingOriginResponse } from '../settings/settings-explained.requests.js';
import { MoveOrganizationRequest } from './organization-move.requests.js';
import { OrganizationMoveResponse } from './organization-move.responses.js';
import { OrganizationMoveService } from './organization-move.service.js';

const RULES =
  'The caller must have the permission `organizations:write` in the organization, in its current parent and in the new parent. If users or API keys gain or lose permissions, the caller must have these permissions in the organization. If webhooks of ancestors begin or stop receiving events, the caller must have `events:read`. If the effective `allowedNetworks`, `ssoRequired` or `applicationApproval` change, the caller must have all permissions (`*`). If a new ancestor has an enabled identity provider that is trusted for email domains or MFA, the caller must have all permissions (`*`), too. If a lock or a suspension by an ancestor ends, the caller must have `organizations:write` in this ancestor.';

const PROBLEMS = {
  403: 'The caller does not have the required permissions (`forbidden`).',
  404: 'The organization or the parent does not exist, or the caller does not have access to it (`organization_not_found`).',
  409: 'The parent is the organization itself or one of its descendants (`organization_cycle`), the organization or its descendants use roles of previous ancestors (`ancestor_role_in_use`), the setting `ssoRequired` would apply without an identity provider (`sso_provider_missing`), or the organization or the parent is suspended (`organization_suspended`) or pending (`organization_pending`).',
  422: 'The organization is a root organization, or the parent belongs to another tenant (`organization_not_movable`), or the organizations would be nested too deeply (`hierarchy_too_deep`).',
};

const PREVIEW_PROBLEMS = {
  ...PROBLEMS,
  409: 'The parent is the organization itself or one of its descendants (`organization_cycle`), the organization or its descendants use roles of previous ancestors (`ancestor_role_in_use`), or the setting `ssoRequired` would apply without an identity provider (`sso_provider_missing`).',
};

@ApiTags('Organizations')
@Controller('v1/organizations/:org/move')
export class OrganizationMoveController {
  constructor(private readonly organizationMove: OrganizationMoveService) {}

  @Post()
  @HttpCode(200)
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'moveOrganization',
    summary: 'Move an organization',
    description: `Moves an organization with its descendants to another parent in the same tenant. The organizations inherit settings, roles and permissions from their new ancestors. Has no effect if the organization already has this parent. ${RULES} ${RECENT_SIGN_IN} Publishes \`organization.moved\`.`,
  })
  @ApiExtraModels(SettingOriginResponse)
  @ApiData(OrganizationMoveResponse)
  @ApiProblems(PROBLEMS)
  async move(@Ctx() ctx: RequestContext, @Body() body: MoveOrganizationRequest): Promise<DataResponse<OrganizationMoveResponse>> {
    const { plan, version } = await this.organizationMove.move(ctx, body.parentId);
    return withETag({ data: OrganizationMoveResponse.from(plan, ctx.caller) }, version);
  }

  @Post('preview')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'previewOrganizationMove',
    summary: 'Preview the move of an organization',
    description: `Returns the effects of a move: settings and locks that change, users who would not comply with the new settings, users and API keys that gain or lose permissions, and webhooks that begin or stop receiving events. Nothing is changed. Returns the same errors as the move, but does not require a recent sign-in and also works while the organization or the parent is suspended or pending. ${RULES}`,
  })
  @ApiData(OrganizationMoveResponse)
  @ApiProblems(PREVIEW_PROBLEMS)
  async preview(
    @Ctx() ctx: RequestContext,
    @Body() body: MoveOrganizationRequest,
  ): Promise<DataResponse<OrganizationMoveResponse>> {
    return { data: OrganizationMoveResponse.from(await this.organizationMove.preview(ctx, body.parentId), ctx.caller) };
  }
}
