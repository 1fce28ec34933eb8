import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { pipeline } from '#platform/database';
import { SignInUsersService, type User } from '#directory/users';
import { SignInAttemptsService } from './sign-in-attempts.service.js';
import { SignInOriginsService } from './sign-in-origins.service.js';

@Injectable()
export class SuccessfulSignInsService {
  constructor(
    private readonly signInAttempts: SignInAttemptsService,
    private readonly signInOrigins: SignInOriginsService,
    private readonly signInUsers: SignInUsersService,
    private readonly clock: Clock,
  ) {}

  /** Resets the failures, records the IP address and the device, and updates `lastLoginAt`, in the caller's transaction. */
  async record(ctx: RequestContext, organization: OrganizationScope, user: User, earlierFailures: number): Promise<void> {
    // First, because it compares with the last sign-in.
    await this.signInOrigins.reportSuspicious(ctx, organization, user, earlierFailures);
    await pipeline(ctx, [
      () => this.signInAttempts.reset(ctx, user),
      ...this.signInUsers.signInRecords(ctx, user, this.clock.now()),
    ]);
    this.signInOrigins.record(ctx, user);
  }
}
