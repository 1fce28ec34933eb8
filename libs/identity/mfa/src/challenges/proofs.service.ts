import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { MfaFailureReason } from '../mfa-errors.js';
import { RecoveryCodeProofsService } from '../recovery-codes/recovery-code-proofs.service.js';
import { TotpProofsService } from '../totp/totp-proofs.service.js';
import { ChallengeCodesService } from './challenge-codes.service.js';
import { ChallengePasskeysService } from './challenge-passkeys.service.js';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import type { OfferedProof, UseProof } from './proof.js';

/** Verifies proofs of second factors outside transactions, because hashing is slow. */
@Injectable()
export class ProofsService {
  constructor(
    private readonly totpProofs: TotpProofsService,
    private readonly challengeCodes: ChallengeCodesService,
    private readonly challengePasskeys: ChallengePasskeysService,
    private readonly recoveryCodeProofs: RecoveryCodeProofsService,
  ) {}

  /** Returns a function that uses up the correct proof, or the reason why the proof is wrong. @throws HashingOverloaded (503) */
  async verify(ctx: RequestContext, challenge: MfaChallenge, proof: OfferedProof): Promise<UseProof | MfaFailureReason> {
    const { method, code = '', credential = {} } = proof;
    if (!challenge.methods.includes(method)) return 'method_not_offered';
    const user = { tenantId: challenge.tenantId, id: challenge.userId };
    switch (method) {
      case 'totp':
        return this.totpProofs.verify(ctx, user, code);
      case 'passkey':
        return this.challengePasskeys.verify(ctx, challenge, credential);
      case 'recovery_code':
        return this.recoveryCodeProofs.verify(ctx, user, code);
      case 'email':
      case 'sms':
        return this.challengeCodes.verify(challenge, method, code);
    }
  }
}
