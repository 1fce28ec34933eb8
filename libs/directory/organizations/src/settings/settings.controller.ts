import { Body, Controller, Get, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, Post, Requires } from '#platform/http';
import { AsOf } from '../as-of/as-of.guard.js';
import {
  type ExplainedSettings,
  explainedSettings,
  ExplainedSettingsResponse,
  PreviewSettingsRequest,
  SettingOriginResponse,
  SettingsPreviewResponse,
} from './settings-explained.requests.js';
import { SettingsExplainedService } from './settings-explained.service.js';

@ApiTags('Organizations')
@Controller('v1/organizations/:org/settings')
export class SettingsController {
  constructor(private readonly settings: SettingsExplainedService) {}

  @AsOf()
  @Get()
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'explainSettings',
    summary: 'Get effective settings',
    description:
      'Returns each effective setting with its source: the default of the service, or the organization that sets it. For a locked setting, also returns the organization that locks it.',
  })
  @ApiExtraModels(SettingOriginResponse)
  @ApiData(ExplainedSettingsResponse, { description: 'Effective settings, by name.' })
  async explain(@Ctx() ctx: RequestContext): Promise<DataResponse<ExplainedSettings>> {
    return { data: explainedSettings(await this.settings.explain(ctx)) };
  }

  @Post('preview')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'previewSettings',
    summary: 'Preview a settings change',
    description:
      'Returns how a change of settings would affect the organization and its descendants, including the number of users who would not comply with the new settings. Nothing is changed. The service validates the request like an update of the settings, and returns the same errors.',
  })
  @ApiData(SettingsPreviewResponse)
  @ApiProblems({
    409: 'The setting `ssoRequired` would apply to an organization without an identity provider (`sso_provider_missing`).',
    422: 'An ancestor organization locks a setting in the request (`setting_locked`).',
  })
  async preview(
    @Ctx() ctx: RequestContext,
    @Body() body: PreviewSettingsRequest,
  ): Promise<DataResponse<SettingsPreviewResponse>> {
    const organizations = await this.settings.preview(ctx, body);
    return { data: { organizations, organizationCount: organizations.length } };
  }
}
