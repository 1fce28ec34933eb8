import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { randomToken } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import type { MfaFailureReason } from '../mfa-errors.js';
import { PasskeyProofsService } from '../passkeys/passkey-proofs.service.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import {
  PASSKEY_CHALLENGE_LIFETIME_MS,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnService,
} from '../passkeys/web-authn.service.js';
import { LiveChallengesService } from './live-challenges.service.js';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import type { UseProof } from './proof.js';

/** Creates the challenges that passkeys sign as second factors, and verifies the responses. */
@Injectable()
export class ChallengePasskeysService {
  constructor(
    private readonly liveChallenges: LiveChallengesService,
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly passkeyProofs: PasskeyProofsService,
    private readonly webAuthn: WebAuthnService,
    private readonly work: UnitOfWork,
  ) {}

  /** Returns new options for a browser, which expire after five minutes. Previous options stop working. @throws MfaChallengeInvalid (401) */
  async createOptions(ctx: RequestContext, challengeToken: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.work.run(ctx, async (ctx) => {
      const { challenge, owner } = await this.liveChallenges.get(ctx, challengeToken, 'passkey');
      const passkeyChallenge = randomToken();
      const expiresAt = new Date(this.work.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
      await this.mfaChallenges.updatePasskeyChallenge(ctx, challenge, passkeyChallenge, expiresAt);
      const allowed = await this.passkeys.list(ctx, owner.user);
      return this.webAuthn.requestOptions(passkeyChallenge, { allowed, userVerification: 'preferred' });
    });
  }

  /**
   * Returns a function that uses up the correct response, or the reason why the response is wrong. A challenge accepts only one response,
   * correct or not.
   */
  async verify(ctx: RequestContext, challenge: MfaChallenge, credential: object): Promise<UseProof | MfaFailureReason> {
    const { tenantId, userId, passkeyChallenge, passkeyExpiresAt } = challenge;
    if (passkeyChallenge === null || passkeyExpiresAt === null || passkeyExpiresAt <= this.work.now()) return 'passkey_refused';
    if (!(await this.mfaChallenges.consumePasskeyChallenge(ctx, challenge, passkeyChallenge))) return 'passkey_refused';
    const verified = await this.passkeyProofs.verify(ctx, tenantId, credential, passkeyChallenge, { userVerified: false });
    if (verified?.passkey.userId !== userId) return 'passkey_refused';
    return async (ctx) => ((await this.passkeyProofs.recordUse(ctx, verified)) ? null : 'passkey_counter');
  }
}
