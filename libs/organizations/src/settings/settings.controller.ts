import { Body, Controller, Get, HttpCode } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, type RequestContext } from '#common';
import { ApiData, ApiProblems, Ctx, type DataAnswer, Post, Requires } from '#http';
import {
  EXPLAINED_SETTINGS_SCHEMA,
  type ExplainedSettings,
  explainedSettings,
  ExplainedSettingResponse,
  PreviewSettingsRequest,
  SettingOriginResponse,
  SettingsPreviewResponse,
} from './settings-explained.requests.js';
import { SettingsExplained } from './settings-explained.service.js';

@ApiTags('Organizations')
@Controller('v1/organizations/:id/settings')
export class SettingsController {
  constructor(private readonly settings: SettingsExplained) {}

  @Get()
  @Requires('organizations:read', { organization: 'id' })
  @ApiOperation({ operationId: 'explainSettings', summary: 'Get the settings in force, and where each comes from' })
  @ApiExtraModels(ExplainedSettingResponse, SettingOriginResponse)
  @ApiOkResponse({
    description: 'Every setting by its name.',
    schema: { type: 'object', required: ['data'], properties: { data: EXPLAINED_SETTINGS_SCHEMA } },
  })
  async explain(@Ctx() ctx: RequestContext): Promise<DataAnswer<ExplainedSettings>> {
    return { data: explainedSettings(await this.settings.sources(ctx)) };
  }

  @Post('preview')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('organizations:read', { organization: 'id' })
  @ApiOperation({
    operationId: 'previewSettings',
    summary: 'See what a change of settings would do',
    description: 'Here and in every organization below, with the users that would be out of line. Nothing is changed.',
  })
  @ApiData(SettingsPreviewResponse)
  @ApiProblems({ 422: 'A setting is locked by an organization above.' })
  async preview(@Ctx() ctx: RequestContext, @Body() body: PreviewSettingsRequest): Promise<DataAnswer<SettingsPreviewResponse>> {
    const organizations = await this.settings.preview(ctx, body);
    return { data: { organizations, organizationCount: organizations.length } };
  }
}
