import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import type { UserKey } from '#directory/sessions';
import { type UserAtHome, UserFactorsService } from '#directory/users';
import type { CodeMethod } from '../mfa-method.js';
import { CodeFactorRepository } from './code-factor.repository.js';

/** Email addresses and phone numbers that users receive codes at. */
@Injectable()
export class CodeFactorsService {
  constructor(
    private readonly codeFactors: CodeFactorRepository,
    private readonly userFactors: UserFactorsService,
    private readonly clock: Clock,
  ) {}

  /** Stores a confirmed destination. A phone number also becomes the verified phone number of the user. In a transaction. */
  async add(ctx: RequestContext, owner: UserAtHome, method: CodeMethod, destination: string): Promise<void> {
    const { tenantId, id: userId } = owner.user;
    await this.codeFactors.replace(ctx, { tenantId, userId, method, destination, createdAt: this.clock.now() });
    if (method === 'sms') await this.userFactors.verifyPhone(ctx, owner, destination);
  }

  /** Returns where codes are sent to, or null when the user doesn't have the factor. */
  async findDestination(ctx: RequestContext, { user }: UserAtHome, method: CodeMethod): Promise<string | null> {
    const factor = (await this.codeFactors.list(ctx, user)).find((each) => each.method === method);
    if (!factor) return null;
    // Emails follow the user to a new verified address; text messages go only to the number that was confirmed.
    return method === 'email' && user.emailVerified ? user.email : factor.destination;
  }

  /** Returns false when the factor was deleted. */
  async recordUse(ctx: RequestContext, user: UserKey, method: CodeMethod): Promise<boolean> {
    return this.codeFactors.recordUse(ctx, user, method, this.clock.now());
  }
}
