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

/** Passkeys as second factors: creates what they sign, and verifies their responses. */
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

  /** Creates options for a browser, which expire after five minutes. Earlier options stop working. @throws MfaChallengeInvalid (401) */
  async createOptions(ctx: RequestContext, challengeToken: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.work.run(ctx, async (ctx) => {
      const { challenge, owner } = await this.liveChallenges.get(ctx, challengeToken, 'passkey');
      const toSign = randomToken();
      const expiresAt = new Date(this.work.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
      await this.mfaChallenges.updatePasskeyChallenge(ctx, challenge, toSign, expiresAt);
      const allowed = await this.passkeys.list(ctx, owner.user);
      return this.webAuthn.requestOptions(toSign, { allowed, userVerification: 'preferred' });
    });
  }

  /** Returns how to use a correct response up, or why it is wrong. Each challenge accepts one response, whether it is correct or not. */
  async verify(ctx: RequestContext, challenge: MfaChallenge, credential: object): Promise<UseProof | MfaFailureReason> {
    const { tenantId, userId, passkeyChallenge, passkeyExpiresAt } = challenge;
    if (passkeyChallenge === null || passkeyExpiresAt === null || passkeyExpiresAt <= this.work.now()) return 'passkey_refused';
    if (!(await this.mfaChallenges.consumePasskeyChallenge(ctx, challenge, passkeyChallenge))) return 'passkey_refused';
    const verified = await this.passkeyProofs.verify(ctx, tenantId, credential, passkeyChallenge, { userVerified: false });
    if (verified?.passkey.userId !== userId) return 'passkey_refused';
    return async (ctx) => ((await this.passkeyProofs.recordUse(ctx, verified)) ? null : 'passkey_counter');
  }
}
