import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { PendingVerifications, type UserKey } from '#directory/sessions';
import { MfaChallengeRepository } from '../challenges/mfa-challenge.repository.js';
import { MfaEnrolmentRepository } from '../enrolment/mfa-enrolment.repository.js';

/** Voids the challenges and enrolments that a user has not completed. Account recovery calls this service through `PendingVerifications`. */
@Injectable()
export class PendingMfaService implements OnModuleInit {
  constructor(
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly mfaEnrolments: MfaEnrolmentRepository,
    private readonly pendingVerifications: PendingVerifications,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.pendingVerifications.register((ctx, user) => this.voidAll(ctx, user));
  }

  async voidAll(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.voidChallenges(ctx, user);
    await this.mfaEnrolments.deleteAll(ctx, user);
  }

  /** Voids pending challenges after a change of the factors. Pending sign-ins must start again. */
  async voidChallenges(ctx: RequestContext, user: UserKey): Promise<void> {
    await this.mfaChallenges.voidAll(ctx, user, this.clock.now());
  }
}
