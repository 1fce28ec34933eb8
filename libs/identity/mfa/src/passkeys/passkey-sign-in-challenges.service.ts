import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { PasskeySignInRepository } from './passkey-sign-in.repository.js';
import { PASSKEY_CHALLENGE_LIFETIME_MS } from './web-authn.service.js';

/** Creates challenges for sign-ins with only a passkey. A challenge has 256 random bits, works once, and expires after five minutes. */
@Injectable()
export class PasskeySignInChallengesService {
  constructor(
    private readonly passkeySignIns: PasskeySignInRepository,
    private readonly clock: Clock,
  ) {}

  async create(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope): Promise<string> {
    const challenge = randomToken();
    const expiresAt = new Date(this.clock.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
    await this.passkeySignIns.insert(ctx, { tenantId, organizationId, challengeHash: hashToken(challenge), expiresAt });
    return challenge;
  }

  /** Deletes a challenge. Returns true to only one of several concurrent calls, and false if the challenge is unknown, used or expired. */
  async consume(ctx: RequestContext, organization: OrganizationScope, challenge: string): Promise<boolean> {
    return this.passkeySignIns.consume(ctx, organization, hashToken(challenge), this.clock.now());
  }
}
