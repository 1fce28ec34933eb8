import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { RequestContext } from '#common';
import {
  ApiData,
  ApiIfMatch,
  ApiList,
  ApiProblems,
  Ctx,
  type DataAnswer,
  etagged,
  LimitUse,
  type ListAnswer,
  PageQuery,
  Post,
  Requires,
} from '#http';
import { Invitations } from './invitations.service.js';
import { UserDeletion } from './user-deletion.service.js';
import { UserLifecycle } from './user-lifecycle.service.js';
import { UserQueries } from './user-queries.service.js';
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

/** Whoever may invite must not fill a stranger's mailbox. */
const INVITATIONS = { kind: 'invitation', param: 'id', uses: 5, windowSeconds: 3_600 };
const USER = { name: 'id', description: 'The user.', example: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw' };
const MANAGED_ELSEWHERE = 'The permission is missing, or the user is managed by an organization out of reach.';

@ApiTags('Users')
@Controller('v1/organizations/:org/users')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly queries: UserQueries,
    private readonly lifecycle: UserLifecycle,
    private readonly deletion: UserDeletion,
    private readonly invitations: Invitations,
  ) {}

  @Get()
  @Requires('users:read')
  @ApiOperation({
    operationId: 'listUsers',
    summary: 'List users',
    description: 'Those that the organization manages, and its members.',
  })
  @ApiList(UserListItemResponse)
  list(@Ctx() ctx: RequestContext, @Query() query: ListUsersQuery): Promise<ListAnswer<UserListItemResponse>> {
    return this.queries.list(ctx, query, PageQuery.read(query));
  }

  @Post()
  @Requires('users:write')
  @ApiOperation({
    operationId: 'createUser',
    summary: 'Create a user',
    description: 'The user is pending, and a member of the organization from the start.',
  })
  @ApiData(CreatedUserResponse, { status: 201, description: 'The user was created.' })
  @ApiProblems({ 409: 'The e-mail address or `externalId` is taken.', 422: "The e-mail address's domain is not allowed here." })
  async create(@Ctx() ctx: RequestContext, @Body() body: CreateUserRequest): Promise<DataAnswer<CreatedUserResponse>> {
    return { data: CreatedUserResponse.from(await this.users.create(ctx, body)) };
  }

  @Get(':id')
  @Requires('users:read')
  @ApiOperation({
    operationId: 'getUser',
    summary: 'Get a user',
    description: 'A deleted user is shown, with status `deleted`, until it is purged.',
  })
  @ApiParam(USER)
  @ApiData(UserResponse)
  async get(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<UserResponse>> {
    const { shown, version } = await this.queries.get(ctx, id);
    return etagged({ data: shown }, version);
  }

  @Patch(':id')
  @Requires('users:write')
  @ApiOperation({
    operationId: 'updateUser',
    summary: 'Update a user',
    description: 'Fields sent replace; `metadata` merges by key.',
  })
  @ApiParam(USER)
  @ApiIfMatch()
  @ApiData(UpdatedUserResponse)
  @ApiProblems({
    403: MANAGED_ELSEWHERE,
    409: 'The e-mail address or `externalId` is taken, or the user is deleted.',
    422: "The e-mail address's domain is not allowed here.",
  })
  async update(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: UpdateUserRequest,
  ): Promise<DataAnswer<UpdatedUserResponse>> {
    const user = await this.users.update(ctx, id, body);
    return etagged({ data: UpdatedUserResponse.from(user, body) }, user.version);
  }

  @Delete(':id')
  @HttpCode(204)
  @Requires('users:delete')
  @ApiOperation({
    operationId: 'deleteUser',
    summary: 'Delete a user',
    description: 'Restorable for 30 days, unless `permanent=true`. All sessions end.',
  })
  @ApiParam(USER)
  @ApiIfMatch()
  @ApiNoContentResponse({ description: 'The user was deleted.' })
  @ApiProblems({ 403: MANAGED_ELSEWHERE })
  async remove(@Ctx() ctx: RequestContext, @Param('id') id: string, @Query() query: DeleteUserQuery): Promise<void> {
    await this.deletion.remove(ctx, id, query.permanent ?? false);
  }

  @Post(':id/suspend')
  @HttpCode(200)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'suspendUser',
    summary: 'Suspend a user',
    description: 'Again on a suspended user it replaces time and reason.',
  })
  @ApiParam(USER)
  @ApiData(SuspendedUserResponse)
  @ApiProblems({ 403: MANAGED_ELSEWHERE, 409: 'The user is deleted.' })
  async suspend(
    @Ctx() ctx: RequestContext,
    @Param('id') id: string,
    @Body() body: SuspendUserRequest,
  ): Promise<DataAnswer<SuspendedUserResponse>> {
    return { data: SuspendedUserResponse.from(await this.lifecycle.suspend(ctx, id, body)) };
  }

  @Post(':id/activate')
  @HttpCode(200)
  @Requires('users:write')
  @ApiOperation({
    operationId: 'activateUser',
    summary: 'Activate a user',
    description: 'Pending or suspended becomes active; an active user stays as it is.',
  })
  @ApiParam(USER)
  @ApiData(UserStatusResponse)
  @ApiProblems({ 403: MANAGED_ELSEWHERE, 409: 'The user is deleted.' })
  async activate(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<UserStatusResponse>> {
    return { data: UserStatusResponse.from(await this.lifecycle.activate(ctx, id)) };
  }

  @Post(':id/restore')
  @HttpCode(200)
  @Requires('users:delete')
  @ApiOperation({
    operationId: 'restoreUser',
    summary: 'Restore a deleted user',
    description:
      'Within 30 days: with status, roles, memberships and credentials as before. A user that is not deleted stays as it is.',
  })
  @ApiParam(USER)
  @ApiData(UserStatusResponse)
  @ApiProblems({ 403: MANAGED_ELSEWHERE, 409: 'The e-mail address or `externalId` belongs to another user by now.' })
  async restore(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<UserStatusResponse>> {
    return { data: UserStatusResponse.from(await this.deletion.restore(ctx, id)) };
  }

  @Post(':id/invitation')
  @HttpCode(200)
  @Requires('users:write')
  @LimitUse(INVITATIONS)
  @ApiOperation({
    operationId: 'inviteUser',
    summary: 'Invite a pending user (again)',
    description: 'Sends a mail with a link that works once, for seven days. Older links die. At most five an hour for each user.',
  })
  @ApiParam(USER)
  @ApiData(InvitationResponse)
  @ApiProblems({ 403: MANAGED_ELSEWHERE, 409: 'The user is not pending.' })
  async invite(@Ctx() ctx: RequestContext, @Param('id') id: string): Promise<DataAnswer<InvitationResponse>> {
    const { user, expiresAt } = await this.invitations.resend(ctx, id);
    return { data: { userId: user.id, email: user.email, expiresAt: expiresAt.toISOString() } };
  }
}
