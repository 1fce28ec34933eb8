import { Body, Controller, Get, Header, HttpCode, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import { ApiData, ApiProblems, Ctx, type DataResponse, defineApiSection, Post, Requires, SkipIdempotency } from '#platform/http';
import type { Request, Response } from 'express';
import { stringify } from 'yaml';
import { ConfigurationApplyService } from './configuration-apply.service.js';
import { ConfigurationPlanService } from './configuration-plan.service.js';
import { ApplyConfigurationRequest, ConfigurationDocument, PlanConfigurationRequest } from './configuration.requests.js';
import { AppliedConfigurationResponse, ConfigurationPlanResponse } from './configuration.responses.js';
import { ConfigurationStateService } from './configuration-state.service.js';

defineApiSection('Configuration', 'The configuration of an organization and its descendants as one document.');

const YAML = 'application/yaml';
const PERMISSIONS =
  'In addition, the caller needs the permissions to read the sections of the document, such as `roles:read`, and for each change what the single request needs.';

@ApiTags('Configuration')
@Controller('v1/organizations/:org/configuration')
export class ConfigurationController {
  constructor(
    private readonly states: ConfigurationStateService,
    private readonly plans: ConfigurationPlanService,
    private readonly application: ConfigurationApplyService,
  ) {}

  @Get()
  @Header('Vary', 'Accept')
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'getConfiguration',
    summary: 'Get the configuration',
    description:
      'Returns settings, locks, branding, roles, groups with their roles, domains, identity providers, SCIM connections, OAuth clients and resources and webhooks of the organization and its descendants, without people and secrets. A reference such as `${ACME_BILLING_SECRET}` stands for a secret. With `Accept: application/yaml`, returns the document as YAML, without `data`. The caller also needs the permissions to read all sections, such as `roles:read`.',
  })
  @ApiData(ConfigurationDocument, { description: 'The document.' })
  @ApiProblems({
    403: 'The caller lacks a permission, or the session does not satisfy the rules of a descendant (`forbidden`).',
    422: 'The organization has too many descendants (`configuration_too_large`).',
  })
  async get(
    @Ctx() ctx: RequestContext,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<DataResponse<ConfigurationDocument> | string> {
    const document = await this.states.export(ctx);
    if (request.accepts('application/json', YAML) !== YAML) return { data: document };
    response.setHeader('Content-Type', `${YAML}; charset=utf-8`);
    return stringify(document);
  }

  @Post('plan')
  @HttpCode(200)
  @Requires('organizations:read')
  @SkipIdempotency('Changes nothing.')
  @ApiOperation({
    operationId: 'planConfiguration',
    summary: 'Plan a configuration',
    description:
      'Returns what a document would change, whom the changes concern, and which changes would fail and why. Tries the changes in a transaction that is rolled back, so that nothing changes and no event is published. ' +
      PERMISSIONS,
  })
  @ApiData(ConfigurationPlanResponse, { description: 'The plan.' })
  @ApiProblems({
    403: 'The caller lacks the permission to read a section, or the session does not satisfy the rules of a descendant (`forbidden`).',
    422: 'The organization has too many descendants (`configuration_too_large`).',
  })
  async plan(
    @Ctx() ctx: RequestContext,
    @Body() body: PlanConfigurationRequest,
  ): Promise<DataResponse<ConfigurationPlanResponse>> {
    return { data: ConfigurationPlanResponse.from(await this.plans.plan(ctx, body)) };
  }

  @Post('apply')
  @HttpCode(200)
  @Requires('organizations:read')
  @SkipIdempotency('The state of the plan prevents that a document is applied twice.')
  @ApiOperation({
    operationId: 'applyConfiguration',
    summary: 'Apply a configuration',
    description:
      'Makes the changes of a plan, with the rules and events of single requests, in one transaction per organization: first from the organization in the path down, then removals and new locks from the leaves up. Changes nothing if the plan has problems or the configuration has changed since the plan. If another request interferes later, organizations before it stay changed; make a new plan and apply it. ' +
      PERMISSIONS +
      ' ' +
      RECENT_SIGN_IN_IF_SENSITIVE,
  })
  @ApiData(AppliedConfigurationResponse, { description: 'What changed.' })
  @ApiProblems({
    403: 'The caller lacks the permission to read a section, or the session does not satisfy the rules of a descendant (`forbidden`).',
    409: 'The configuration has changed since the plan (`configuration_changed`).',
    422: 'Changes would fail, for example because the caller lacks a permission (`configuration_rejected`), or the organization has too many descendants (`configuration_too_large`).',
  })
  async apply(
    @Ctx() ctx: RequestContext,
    @Body() body: ApplyConfigurationRequest,
  ): Promise<DataResponse<AppliedConfigurationResponse>> {
    return { data: AppliedConfigurationResponse.from(await this.application.apply(ctx, body)) };
  }
}
