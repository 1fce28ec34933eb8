import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { AllowedWhileSuspended, organizationOf, RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  withETag,
  type ListResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { AsOf } from './as-of/as-of.guard.js';
import { OrganizationCreationService } from './organization-creation.service.js';
import { OrganizationLifecycleService } from './organization-lifecycle.service.js';
import { OrganizationRestoreService } from './organization-restore.service.js';
import { OrganizationQueriesService } from './organization-queries.service.js';
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

const USERS_ELSEWHERE =
  'users of the organizations have permissions in other organizations that the caller does not have, or the session does not satisfy the rules of a descendant';
/** Shown for operations after which users of organizations can't use their accounts. */
const LAST_OWNER = 'another organization would have no owner (`last_owner`)';
const UNMET_RULES =
  'a changed organization has rules for MFA, networks or session times that the session of the caller does not satisfy';

const SUSPENSION_PERMISSIONS =
  'If the organization was suspended with a platform key, only a platform key can change or end the suspension. If a caller from an ancestor organization suspended the organization, only platform keys and callers from this ancestor organization or its ancestors can change or end the suspension. All other callers get 403 `forbidden`.';

@ApiTags('Organizations')
@Controller('v1/organizations')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly creation: OrganizationCreationService,
    private readonly queries: OrganizationQueriesService,
    private readonly lifecycle: OrganizationLifecycleService,
    private readonly restoring: OrganizationRestoreService,
  ) {}

  @Get()
  @Requires('organizations:read', { organization: 'none' })
  @ApiOperation({
    operationId: 'listOrganizations',
    summary: 'List organizations',
    description:
      'Returns the organizations that the caller has access to. A platform key has access to all organizations. Any other API key has access to its organization and the descendants of its organization. A user has access to the organizations in which the user has the permission `organizations:read`, and to the descendants of these organizations. If you use a session, two kinds of organizations are not in the list: organizations that require MFA, unless you signed in with a factor that the organization allows, and organizations whose setting `allowedNetworks` excludes your IP address.',
  })
  @ApiList(OrganizationListItemResponse)
  @ApiProblems({
    404: 'The organization in `parentId` does not exist, or the caller does not have access to it (`organization_not_found`).',
  })
  list(@Ctx() ctx: RequestContext, @Query() query: ListOrganizationsQuery): Promise<ListResponse<OrganizationListItemResponse>> {
    return this.queries.list(ctx, query, PageQuery.read(query));
  }

  @Post()
  @Requires('organizations:write', { organization: 'none' })
  @ApiOperation({
    operationId: 'createOrganization',
    summary: 'Create an organization',
    description:
      'Creates an organization. If the request contains `parentId`, the new organization is a child of the organization in `parentId` and inherits the settings of its ancestors. Otherwise, the new organization is a root organization. Only a platform key can create a root organization. If the service requires approval for new organizations, an organization that is not created with a platform key is `pending` until it is activated with a platform key. Publishes `organization.created`.',
  })
  @ApiData(CreatedOrganizationResponse, { status: 201, description: 'The organization was created.' })
  @ApiProblems({
    404: 'The parent organization does not exist, or the caller does not have access to it (`organization_not_found`).',
    409: 'The slug is already in use (`slug_taken`), the parent organization is suspended (`organization_suspended`) or pending (`organization_pending`), or the setting `ssoRequired` would apply without an identity provider (`sso_provider_missing`).',
    422: 'The organizations would be nested too deeply (`hierarchy_too_deep`), or an ancestor organization locks a setting in the request (`setting_locked`).',
  })
  async create(
    @Ctx() ctx: RequestContext,
    @Body() body: CreateOrganizationRequest,
  ): Promise<DataResponse<CreatedOrganizationResponse>> {
    return { data: CreatedOrganizationResponse.from(await this.creation.create(ctx, body)) };
  }

  @AsOf()
  @Get(':org')
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'getOrganization',
    summary: 'Get an organization',
    description: 'Returns an organization with its effective settings, child organizations and identity providers.',
  })
  @ApiData(OrganizationResponse)
  async get(@Ctx() ctx: RequestContext): Promise<DataResponse<OrganizationResponse>> {
    const { response, version } = await this.queries.get(ctx);
    return withETag({ data: response }, version);
  }

  @Patch(':org')
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'updateOrganization',
    summary: 'Update an organization',
    description:
      'Changes the fields in the request body. The values in `settings`, `branding` and `metadata` are merged with the existing values. To remove an existing value, set the value to `null`. To change `allowedNetworks` or `ssoRequired`, the caller must have all permissions (`*`) in the organization. To change `defaultRole`, the caller must have all permissions of the new default role. To let more people register themselves (`allowPublicSignup`, `allowedDomains`), the caller must have the permissions of the default role that they get, here and in the descendants. A change of `lockedSettings` needs what the same change of the settings in the descendants needs. Permissions from break-glass access do not count for changes of `settings` and `lockedSettings`. Changing `requireMfa`, `mfaMethods`, `ssoRequired`, `allowedDomains` or `allowedNetworks` is a sensitive operation. Setting `defaultRole` to a role that has a permission of this service other than a `read` permission is also a sensitive operation. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `organization.updated`.',
  })
  @ApiIfMatch()
  @ApiData(UpdatedOrganizationResponse)
  @ApiProblems({
    401: 'The API key or session token is missing or invalid (`unauthenticated`), or the change is a sensitive operation, also through a lock, and you signed in more than 10 minutes ago (`reauthentication_required`).',
    403: `The caller lacks a permission that the change of the settings or locks needs, which \`detail\` names, or ${UNMET_RULES} (\`forbidden\`).`,
    409: 'The setting `ssoRequired` would apply to an organization without an identity provider (`sso_provider_missing`), or the organization is suspended (`organization_suspended`).',
    422: 'An ancestor organization locks a setting in the request (`setting_locked`).',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Body() body: UpdateOrganizationRequest,
  ): Promise<DataResponse<UpdatedOrganizationResponse>> {
    const { organization, settings } = await this.organizations.update(ctx, body);
    return withETag({ data: UpdatedOrganizationResponse.from(organization, settings, body) }, organization.version);
  }

  @Delete(':org')
  @HttpCode(204)
  @AllowedWhileSuspended()
  @Requires('organizations:delete')
  @ApiOperation({
    operationId: 'deleteOrganization',
    summary: 'Delete an organization',
    description:
      'Deletes an organization and everything that belongs to the organization. If `cascade` is true, all descendant organizations are deleted, too. The organization can be restored for 30 days. Publishes `organization.deleted` for each deleted organization.',
  })
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The organization was deleted.' })
  @ApiProblems({
    403: `The caller lacks the permission, or ${USERS_ELSEWHERE} (\`forbidden\`).`,
    409: `The organization has child organizations, and \`cascade\` is not true (\`organization_has_children\`), or ${LAST_OWNER}.`,
  })
  async remove(@Ctx() ctx: RequestContext, @Query() query: DeleteOrganizationQuery): Promise<void> {
    await this.lifecycle.delete(ctx, query.cascade ?? false);
  }

  @Post(':org/suspend')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'suspendOrganization',
    summary: 'Suspend an organization',
    description: `Suspends an organization and its descendants. Until the organization is activated, users cannot sign in to the suspended organizations. Requests with an API key or a session are handled as follows:\n\n- Requests with API keys of the suspended organizations, or with sessions of their users, return 403 \`organization_suspended\`. Requests to sign out and to activate the organization are exempt. If the environment variable \`SUSPENDED_ORGANIZATION_READS\` is \`true\`, read requests are also exempt.\n- Other callers, such as platform keys, can read the suspended organizations. If such a caller sends a request that changes something in the suspended organizations, the response is 409 \`organization_suspended\`. Requests to suspend, activate, delete or restore an organization, and to revoke sessions, are exempt.\n\nIf the organization is already suspended, the request replaces the time and the reason of the suspension. ${SUSPENSION_PERMISSIONS} Publishes \`organization.updated\`.`,
  })
  @ApiData(OrganizationStatusResponse)
  @ApiProblems({
    403: `The caller lacks the permission, somebody at a higher level suspended the organization, or ${USERS_ELSEWHERE} (\`forbidden\`).`,
    409: `The organization is pending (\`organization_pending\`), or ${LAST_OWNER}.`,
  })
  async suspend(
    @Ctx() ctx: RequestContext,
    @Body() body: SuspendOrganizationRequest,
  ): Promise<DataResponse<OrganizationStatusResponse>> {
    return { data: OrganizationStatusResponse.from(await this.lifecycle.suspend(ctx, body.reason ?? '')) };
  }

  @Post(':org/activate')
  @HttpCode(200)
  @AllowedWhileSuspended({ forSuspendedCallers: true })
  @Requires('organizations:write')
  @ApiOperation({
    operationId: 'activateOrganization',
    summary: 'Activate an organization',
    description: `Ends the suspension of an organization, or approves a pending organization. Only a platform key can approve an organization. ${SUSPENSION_PERMISSIONS} Has no effect on an active organization. Publishes \`organization.updated\`.`,
  })
  @ApiData(OrganizationStatusResponse)
  @ApiProblems({
    403: `The caller lacks the permission, somebody at a higher level suspended the organization, only the platform can approve it, or ${USERS_ELSEWHERE} (\`forbidden\`).`,
  })
  async activate(@Ctx() ctx: RequestContext): Promise<DataResponse<OrganizationStatusResponse>> {
    return { data: OrganizationStatusResponse.from(await this.lifecycle.activate(ctx)) };
  }

  @Post(':org/restore')
  @HttpCode(200)
  @AllowedWhileSuspended()
  @Requires('organizations:delete', { organization: 'none' })
  @ApiOperation({
    operationId: 'restoreOrganization',
    summary: 'Restore a deleted organization',
    description:
      'Restores a deleted organization, and everything that was deleted together with the organization. An organization can be restored for 30 days after the deletion. Has no effect on an organization that is not deleted. Publishes `organization.updated` for each restored organization.',
  })
  @ApiParam({
    name: 'org',
    description: 'Id or slug of the deleted organization.',
    schema: { type: 'string', maxLength: 63 },
    example: 'acme',
  })
  @ApiData(OrganizationStatusResponse)
  @ApiProblems({
    403: `The caller lacks the permission, or ${USERS_ELSEWHERE} (\`forbidden\`).`,
    404: 'The organization does not exist or was already deleted permanently, or the caller does not have access to it (`organization_not_found`).',
    409: 'The parent organization is deleted (`parent_deleted`).',
  })
  async restore(@Ctx() ctx: RequestContext, @Param('org') org: string): Promise<DataResponse<OrganizationStatusResponse>> {
    return { data: OrganizationStatusResponse.from(await this.restoring.restore(ctx, org)) };
  }

  @AsOf()
  @Get(':org/hierarchy')
  @Requires('organizations:read')
  @ApiOperation({
    operationId: 'getOrganizationHierarchy',
    summary: 'Get the organization hierarchy',
    description:
      'Returns the organization and all its descendants as a nested tree. For each descendant, the response contains the number of members.',
  })
  @ApiData(HierarchyNodeResponse)
  async hierarchy(@Ctx() ctx: RequestContext): Promise<DataResponse<HierarchyNodeResponse>> {
    return { data: await this.queries.getHierarchy(ctx, organizationOf(ctx)) };
  }
}
