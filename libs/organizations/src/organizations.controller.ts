import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, organizationOf, type RequestContext } from '#common';
import {
  ApiData,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataAnswer,
  etagged,
  type ListAnswer,
  PageQuery,
  Post,
  Requires,
} from '#http';
import { OrganizationLifecycle } from './organization-lifecycle.service.js';
import { OrganizationRestore } from './organization-restore.service.js';
import { OrganizationQueries } from './organization-queries.service.js';
import {
  CreateOrganizationRequest,
  DeleteOrganizationQuery,
  ListOrganizationsQuery,
  SuspendOrganizationRequest,
  UpdateOrganizationRequest,
} from './organization.requests.js';
import {
  CreatedOrganizationResponse,
  HierarchyNodeResponse,
  OrganizationListItemResponse,
  OrganizationResponse,
  OrganizationStatusResponse,
  UpdatedOrganizationResponse,
} from './organization.responses.js';
import { OrganizationsService } from './organizations.service.js';

@ApiTags('Organizations')
@Controller('v1/organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly queries: OrganizationQueries,
    private readonly lifecycle: OrganizationLifecycle,
    private readonly restoring: OrganizationRestore,
  ) {}

  @Get()
  @Requires('organizations:read', { organization: 'none' })
  @ApiOperation({
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description: 'A platform key sees all, other callers those they reach.',
  })
  @ApiList(OrganizationListItemResponse)
  @ApiProblems({ 404: 'The organization of `parentId` is not there, or not visible to the caller.' })
  list(@Ctx() ctx: RequestContext, @Query() query: ListOrganizationsQuery): Promise<ListAnswer<OrganizationListItemResponse>> {
    return this.queries.list(ctx, query, PageQuery.read(query));
  }

  @Post()
  @Requires('organizations:write', { organization: 'none' })
  @ApiOperation({
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description: 'Top-level (platform key only) or below `parentId`, whose settings it inherits.',
  })
  @ApiData(CreatedOrganizationResponse, { status: 201, description: 'The organization was created.' })
  @ApiProblems({
    404: 'The parent is not there, or not visible to the caller.',
    409: 'The slug is taken, or the parent is suspended or pending.',
    422: 'Too deep, or a setting is locked above.',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateOrganizationRequest,
  ): Promise<DataAnswer<CreatedOrganizationResponse>> {
    return { data: CreatedOrganizationResponse.from(await this.organizations.create(ctx, body)) };
  }

  @Get(':id')
  @Requires('organizations:read', { organization: 'id' })
  @ApiOperation({
    operationId: 'getOrganization',
    summary: 'Get an organization',
    description: 'With its direct children and the settings in force.',
  })
  @ApiData(OrganizationResponse)
  async get(@Ctx() ctx: RequestContext): Promise<DataAnswer<OrganizationResponse>> {
    const { shown, version } = await this.queries.get(ctx);
    return etagged({ data: shown }, version);
  }

  @Patch(':id')
  @Requires('organizations:write', { organization: 'id' })
  @ApiOperation({
    operationId: 'updateOrganization',
    summary: 'Update an organization',
    description: 'Fields sent replace; `settings`, `branding` and `metadata` merge, and `null` in them takes a value away.',
  })
  @ApiIfMatch()
  @ApiData(UpdatedOrganizationResponse)
  @ApiProblems({ 422: 'A setting is locked by an organization above.' })
  async update(
    @Ctx() ctx: RequestContext,
    @Body() body: UpdateOrganizationRequest,
  ): Promise<DataAnswer<UpdatedOrganizationResponse>> {
    const { organization, settings } = await this.organizations.update(ctx, body);
    return etagged({ data: UpdatedOrganizationResponse.from(organization, settings, body) }, organization.version);
  }

  @Delete(':id')
  @HttpCode(204)
  @AllowedWhileSuspended()
  @Requires('organizations:delete', { organization: 'id' })
  @ApiOperation({
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description: 'It and what it owns disappear at once.',
  })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The organization was deleted.' })
  @ApiProblems({ 409: 'There are organizations below it, and `cascade` is not true.' })
  async remove(@Ctx() ctx: RequestContext, @Query() query: DeleteOrganizationQuery): Promise<void> {
    await this.lifecycle.remove(ctx, query.cascade ?? false);
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('organizations:write', { organization: 'id' })
  @ApiOperation({
    operationId: 'suspendOrganization',
    summary: 'Suspend an organization',
    description:
      'Until it is activated, no one signs in and nothing is changed here and below. Sessions of its users are inactive, and its API keys are refused (403 `organization_suspended`).',
  })
  @ApiData(OrganizationStatusResponse)
  async suspend(
    @Ctx() ctx: RequestContext,
    @Body() body: SuspendOrganizationRequest,
  ): Promise<DataAnswer<OrganizationStatusResponse>> {
    return { data: OrganizationStatusResponse.from(await this.lifecycle.suspend(ctx, body.reason ?? '')) };
  }

  @Post(':id/activate')
  @HttpCode(200)
  @AllowedWhileSuspended({ byItsOwn: true })
  @Requires('organizations:write', { organization: 'id' })
  @ApiOperation({
    operationId: 'activateOrganization',
    summary: 'Activate an organization',
    description: 'Ends a suspension, or approves a pending organization.',
  })
  @ApiData(OrganizationStatusResponse)
  async activate(@Ctx() ctx: RequestContext): Promise<DataAnswer<OrganizationStatusResponse>> {
    return { data: OrganizationStatusResponse.from(await this.lifecycle.activate(ctx)) };
  }

  @Post(':id/restore')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('organizations:delete', { organization: 'none' })
  @ApiOperation({
    operationId: 'restoreOrganization',
    summary: 'Restore a deleted organization',
    description: 'Within 30 days, with all that its deletion took along.',
  })
  @ApiParam({
    name: 'id',
    description: 'The deleted organization, by its id or its slug.',
    schema: { type: 'string', maxLength: 63 },
    example: 'acme',
  })
  @ApiData(OrganizationStatusResponse)
  @ApiProblems({ 404: 'Unknown, out of reach, or purged.', 409: 'The organization above is deleted.' })
  async restore(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<OrganizationStatusResponse>> {
    return { data: OrganizationStatusResponse.from(await this.restoring.restore(ctx, id)) };
  }

  @Get(':id/hierarchy')
  @Requires('organizations:read', { organization: 'id' })
  @ApiOperation({
    operationId: 'getOrganizationHierarchy',
    summary: 'Get the tree below an organization',
    description: 'Nested to any depth, with numbers of members.',
  })
  @ApiData(HierarchyNodeResponse)
  async hierarchy(@Ctx() ctx: RequestContext): Promise<DataAnswer<HierarchyNodeResponse>> {
    return { data: await this.queries.hierarchy(ctx, organizationOf(ctx)) };
  }
}
