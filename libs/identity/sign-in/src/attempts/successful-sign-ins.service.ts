import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
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
    await this.signInAttempts.reset(ctx, user);
    await this.signInOrigins.record(ctx, organization, user, earlierFailures);
    await this.signInUsers.recordSignIn(ctx, user, this.clock.now());
  }
}
