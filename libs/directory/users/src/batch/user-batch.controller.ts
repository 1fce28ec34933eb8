import { Body, Controller, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  BatchPost,
  BatchResponse,
  BatchService,
  countUseOf,
  type DataResponse,
  LimitUse,
  RequestValidationPipe,
  Requires,
  type ServiceRequest,
} from '#platform/http';
import { INVITATION_LIMIT, InvitationsService } from '../invitations.service.js';
import { UserDeletionService } from '../user-deletion.service.js';
import { UserLifecycleService } from '../user-lifecycle.service.js';
import { CreateUserRequest } from '../user.requests.js';
import { UsersService } from '../users.service.js';
import { batchOf, SENSITIVE_ITEMS } from './batch-descriptions.js';
import { DeleteUsersRequest, InviteUsersRequest, SuspendUsersRequest, UserBatchRequest } from './user-batch.requests.js';

/** Operations on many users. */
@ApiTags('Users')
@Controller('v1/organizations/:org/users/batch')
export class UserBatchController {
  private readonly validation = new RequestValidationPipe();

  constructor(
    private readonly batch: BatchService,
    private readonly users: UsersService,
    private readonly lifecycle: UserLifecycleService,
    private readonly deletion: UserDeletionService,
    private readonly invitations: InvitationsService,
  ) {}

  @BatchPost('invite')
  @Requires('users:write')
  @ApiOperation({
    operationId: 'inviteUsers',
    summary: 'Invite users by email address',
    description:
      'Creates a user with status `pending` for each email address and sends an email with a link to set a password. ' +
      batchOf('createUser') +
      SENSITIVE_ITEMS +
      ' Publishes `user.created` for each user.',
  })
  async invite(
    @Req() request: ServiceRequest,
    @Body() { emails, roles }: InviteUsersRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, emails, async (ctx, email) => {
      const fields = { email, sendInvitation: true, ...(roles ? { roles } : {}) };
      const user = await this.validation.transform(fields, { type: 'body', metatype: CreateUserRequest });
      return { status: 201, userId: (await this.users.create(ctx, user as CreateUserRequest)).id };
    });
    return { data: BatchResponse.from(results, 'email') };
  }

  @BatchPost('suspend')
  @Requires('users:write')
  @ApiOperation({
    operationId: 'suspendUsers',
    summary: 'Suspend users',
    description: `${batchOf('suspendUser')} Publishes \`user.suspended\` for each user.`,
  })
  async suspend(
    @Req() request: ServiceRequest,
    @Body() { userIds, ...suspension }: SuspendUsersRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await this.lifecycle.suspend(ctx, userId, suspension);
      return { status: 200 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('activate')
  @Requires('users:write')
  @ApiOperation({
    operationId: 'activateUsers',
    summary: 'Activate users',
    description: `${batchOf('activateUser')}${SENSITIVE_ITEMS} Publishes \`user.activated\` for each user who was not active.`,
  })
  async activate(@Req() request: ServiceRequest, @Body() { userIds }: UserBatchRequest): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await this.lifecycle.activate(ctx, userId);
      return { status: 200 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('delete')
  @Requires('users:delete')
  @ApiOperation({
    operationId: 'deleteUsers',
    summary: 'Delete users',
    description: `${batchOf('deleteUser')} Publishes \`user.deleted\` for each user, and \`security.session_revoked\` for each session.`,
  })
  async delete(
    @Req() request: ServiceRequest,
    @Body() { userIds, permanent = false }: DeleteUsersRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await this.deletion.delete(ctx, userId, permanent);
      return { status: 204 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('restore')
  @Requires('users:delete')
  @ApiOperation({
    operationId: 'restoreUsers',
    summary: 'Restore deleted users',
    description: `${batchOf('restoreUser')}${SENSITIVE_ITEMS} Publishes \`user.updated\` for each restored user.`,
  })
  async restore(@Req() request: ServiceRequest, @Body() { userIds }: UserBatchRequest): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await this.deletion.restore(ctx, userId);
      return { status: 200 };
    });
    return { data: BatchResponse.from(results) };
  }

  @BatchPost('resend-invitation')
  @Requires('users:write')
  @LimitUse(INVITATION_LIMIT)
  @ApiOperation({
    operationId: 'resendInvitations',
    summary: 'Send new invitations to pending users',
    description: `${batchOf('inviteUser')}${SENSITIVE_ITEMS} Publishes \`user.invited\` for each user.`,
  })
  async resendInvitation(
    @Req() request: ServiceRequest,
    @Body() { userIds }: UserBatchRequest,
  ): Promise<DataResponse<BatchResponse>> {
    const results = await this.batch.run(request, userIds, async (ctx, userId) => {
      await countUseOf(request)(userId);
      await this.invitations.resend(ctx, userId);
      return { status: 200 };
    });
    return { data: BatchResponse.from(results) };
  }
}
