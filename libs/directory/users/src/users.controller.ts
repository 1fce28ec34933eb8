import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { RECENT_SIGN_IN, RECENT_SIGN_IN_IF_SENSITIVE, type RequestContext } from '#platform/common';
import {
  ApiData,
  ApiIdParam,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataResponse,
  withETag,
  LimitUse,
  type ListResponse,
  PageQuery,
  Post,
  Requires,
} from '#platform/http';
import { AsOf } from '#directory/organizations';
import { INVITATION_LIMIT, InvitationsService } from './invitations.service.js';
import { UserDeletionService } from './user-deletion.service.js';
import { UserUpdateService } from './user-update.service.js';
import { UserLifecycleService } from './user-lifecycle.service.js';
import { UserQueriesService } from './user-queries.service.js';
import { CreateUserRequest, DeleteUserQuery, ListUsersQuery, SuspendUserRequest, UpdateUserRequest } from './user.requests.js';
import {
  CreatedUserResponse,
  InvitationResponse,
  SuspendedUserResponse,
  UpdatedUserResponse,
  UserListItemResponse,
  UserResponse,
  UserStatusResponse,
} from './user.responses.js';
import { UsersService } from './users.service.js';

const USER = { name: 'id', description: 'Id of the user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };
const MANAGED_ELSEWHERE =
  'The caller is not allowed to manage the user (`forbidden`), or does not have access to the organization that manages the user (`managed_elsewhere`).';

@ApiTags('Users')
@Controller('v1/organizations/:org/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly updates: UserUpdateService,
    private readonly queries: UserQueriesService,
    private readonly lifecycle: UserLifecycleService,
    private readonly deletion: UserDeletionService,
    private readonly invitations: InvitationsService,
  ) {}

  @AsOf({ otherParameters: true })
  @Get()
  @Requires('users:read')
  @ApiOperation({
    operationId: 'listUsers',
    summary: 'List users',
    description:
      'Returns two kinds of users: users that the organization manages, and users that another organization manages but who are members of the organization. Deleted users are returned only with `status=deleted`.',
  })
  @ApiList(UserListItemResponse, 'One page of the list, in the order of `sort`. By default, newest first.')
  list(@Ctx() ctx: RequestContext, @Query() query: ListUsersQuery): Promise<ListResponse<UserListItemResponse>> {
    return this.queries.list(ctx, query, PageQuery.read(query));
  }

  @Post()
  @Requires('users:write')
  @ApiOperation({
    operationId: 'createUser',
    summary: 'Create a user',
    description:
      'Creates a user with status `pending`. The organization manages the user, and the user becomes a member of the organization. If `sendInvitation` is true, the service sends the user an email with a link to set a password. The caller must have all permissions of the roles in `roles`. The email address and the `externalId` of a deleted user, who can be restored, require the permissions of the deleted user. Using them, and assigning a role that has a permission of this service other than a `read` permission, are sensitive operations. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `user.created`.',
  })
  @ApiData(CreatedUserResponse, { status: 201, description: 'The user was created.' })
  @ApiProblems({
    409: 'The email address or `externalId` is already in use (`email_taken`, `external_id_taken`).',
    422: 'The organization does not allow the domain of the email address (`domain_not_allowed`).',
  })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateUserRequest): Promise<DataResponse<CreatedUserResponse>> {
    return { data: CreatedUserResponse.from(await this.users.create(ctx, body)) };
  }

  @AsOf()
  @Get(':id')
  @Requires('users:read')
  @ApiOperation({
    operationId: 'getUser',
    summary: 'Get a user',
    description:
      'Returns a user, including the roles, memberships and linked identities of the user. A deleted user is returned with status `deleted` until the user is deleted permanently.',
  })
  @ApiIdParam(USER)
  @ApiData(UserResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<UserResponse>> {
    const { user, version } = await this.queries.get(ctx, id);
    return withETag({ data: user }, version);
  }

  @Patch(':id')
  @Requires('users:write')
  @ApiOperation({
    operationId: 'updateUser',
    summary: 'Update a user',
    description:
      'Changes the fields in the request body. `metadata` is merged by key. A new email address is unverified and unconfirmed, and the user keeps the sign-in. When the email address changes, the service sends an email to both the previous and the new address, and invalidates all unused links that the service emailed to the user. To change `email` (also only the case of letters), `phoneNumber` or `externalId`, the caller must have every permission that the user has. The email address and the `externalId` of a deleted user, who can be restored, require the permissions of the deleted user. Users cannot change their own `email`, `phoneNumber` or `externalId` with this operation. Changing `email`, `phoneNumber` or `externalId` is a sensitive operation. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `user.updated`.',
  })
  @ApiIdParam(USER)
  @ApiIfMatch()
  @ApiData(UpdatedUserResponse)
  @ApiProblems({
    403: MANAGED_ELSEWHERE,
    409: 'The email address or `externalId` is already in use (`email_taken`, `external_id_taken`), or the user is deleted (`user_deleted`).',
    422: 'The organization does not allow the domain of the email address (`domain_not_allowed`).',
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateUserRequest,
  ): Promise<DataResponse<UpdatedUserResponse>> {
    const user = await this.updates.update(ctx, id, body);
    return withETag({ data: UpdatedUserResponse.from(user, body) }, user.version);
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('users:delete')
  @ApiOperation({
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description:
      'Deletes a user and revokes all sessions of the user. The user can be restored for 30 days, unless `permanent` is true. The caller must have every permission that the user has. Returns 409 `last_owner` if the user is the last owner of an organization, unless the request uses a platform key. Publishes `user.deleted`, and `security.session_revoked` for each session.',
  })
  @ApiIdParam(USER)
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The user was deleted.' })
  @ApiProblems({ 403: MANAGED_ELSEWHERE })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: DeleteUserQuery): Promise<void> {
    await this.deletion.delete(ctx, id, query.permanent ?? false);
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'suspendUser',
    summary: 'Suspend a user',
    description:
      'Suspends a user. A suspended user cannot sign in. All unused links that the service emailed to the user and all unfinished sign-ins of the user become invalid. While the user is suspended, the service rejects the existing sessions of the user. To end these sessions permanently, set `revokeActiveSessions` to true. The caller must have every permission that the user has. If the user is already suspended, the request replaces the time and the reason of the suspension. Publishes `user.suspended`.',
  })
  @ApiIdParam(USER)
  @ApiData(SuspendedUserResponse)
  @ApiProblems({
    403: MANAGED_ELSEWHERE,
    409: 'The user is deleted (`user_deleted`) or is the last owner of an organization (`last_owner`).',
  })
  async suspend(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: SuspendUserRequest,
  ): Promise<DataResponse<SuspendedUserResponse>> {
    return { data: SuspendedUserResponse.from(await this.lifecycle.suspend(ctx, id, body)) };
  }

  @Post(':id/activate')
  @HttpCode(200)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'activateUser',
    summary: 'Activate a user',
    description:
      'Activates a pending or suspended user. Has no effect on an active user. The caller must have every permission that the user has. It is a sensitive operation if the user has a permission of this service other than a `read` permission. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `user.activated`.',
  })
  @ApiIdParam(USER)
  @ApiData(UserStatusResponse)
  @ApiProblems({ 403: MANAGED_ELSEWHERE, 409: 'The user is deleted (`user_deleted`).' })
  async activate(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<UserStatusResponse>> {
    return { data: UserStatusResponse.from(await this.lifecycle.activate(ctx, id)) };
  }

  @Post(':id/restore')
  @HttpCode(200)
  @Requires('users:delete')
  @ApiOperation({
    operationId: 'restoreUser',
    summary: 'Restore a deleted user',
    description:
      'Restores a deleted user, with the previous status, roles, memberships and credentials. A user can be restored for 30 days after the deletion. Has no effect on a user who is not deleted. The caller must have every permission that the user has. It is a sensitive operation if the user has a permission of this service other than a `read` permission. ' +
      RECENT_SIGN_IN_IF_SENSITIVE +
      ' Publishes `user.updated`.',
  })
  @ApiIdParam(USER)
  @ApiData(UserStatusResponse)
  @ApiProblems({
    403: MANAGED_ELSEWHERE,
    409: 'Another user now has the email address, the `externalId` or the SCIM `userName` of the deleted user (`email_conflict`, `external_id_conflict`, `user_name_conflict`).',
  })
  async restore(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<UserStatusResponse>> {
    return { data: UserStatusResponse.from(await this.deletion.restore(ctx, id)) };
  }

  @Post(':id/invitation')
  @HttpCode(200)
  @Requires('users:write')
  @LimitUse({ ...INVITATION_LIMIT, param: 'id' })
  @ApiOperation({
    operationId: 'inviteUser',
    summary: 'Invite a pending user',
    description:
      'Sends an invitation email with a single-use link that is valid for 7 days. Earlier invitation links of the user become invalid. A user can be invited at most 5 times per hour. The caller must have every permission that the user has. ' +
      RECENT_SIGN_IN +
      ' Publishes `user.invited`.',
  })
  @ApiIdParam(USER)
  @ApiData(InvitationResponse)
  @ApiProblems({ 403: MANAGED_ELSEWHERE, 409: 'The user is not pending (`user_not_pending`) or is deleted (`user_deleted`).' })
  async invite(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataResponse<InvitationResponse>> {
    const { user, expiresAt } = await this.invitations.resend(ctx, id);
    return { data: { userId: user.id, email: user.email, expiresAt: expiresAt.toISOString() } };
  }
}
