import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { randomToken, SecretSealer } from '#platform/crypto';
import { CodeFactorRepository } from '../codes/code-factor.repository.js';
import { CodeSenderService } from '../codes/code-sender.service.js';
import { maskedDestination, newSecurityCode } from '../codes/security-code.js';
import { MfaChallengeInvalid } from '../mfa-errors.js';
import type { CodeMethod } from '../mfa-method.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { PASSKEY_CHALLENGE_LIFETIME_MS, type PublicKeyCredentialRequestOptionsJSON, WebAuthn } from '../passkeys/web-authn.js';
import { codeContext } from '../sealing-contexts.js';
import type { UserAtHome } from '#directory/users';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';

/** A code that is on its way. */
export interface SentCode {
  readonly method: CodeMethod;
  /** Enough of the address to recognise one's own. */
  readonly destination: string;
  readonly expiresAt: Date;
}

/** Gives people what they need for a proof: a code, or what their passkey is to sign. */
@Injectable()
export class ChallengeMeansService {
  constructor(
    private readonly challenges: MfaChallengeRepository,
    private readonly codeFactors: CodeFactorRepository,
    private readonly codeSender: CodeSenderService,
    private readonly passkeys: PasskeyRepository,
    private readonly webAuthn: WebAuthn,
    private readonly sealer: SecretSealer,
    private readonly clock: Clock,
  ) {}

  /** Sends a new code; the one before is worth nothing any more. In a transaction. @throws CodeLimit (429), MfaChallengeInvalid (401) */
  async sendCode(ctx: RequestContext, challenge: MfaChallenge, owner: UserAtHome, method: CodeMethod): Promise<SentCode> {
    const factor = (await this.codeFactors.list(ctx, owner.user)).find((each) => each.method === method);
    if (!factor) throw new MfaChallengeInvalid();
    const code = newSecurityCode();
    await this.challenges.updateCode(ctx, challenge, method, this.sealer.seal(code, codeContext(challenge.tokenHash)));
    // Mail follows the user to a new address once that is proven; a telephone number counts only as it was proven.
    const moved = method === 'email' && owner.user.emailVerified;
    const destination = moved ? owner.user.email : factor.destination;
    const { expiresAt } = challenge;
    await this.codeSender.send(ctx, owner, { method, destination }, { code, expiresAt });
    return { method, destination: maskedDestination(destination), expiresAt };
  }

  /** What a passkey of the user is to sign, within five minutes; what was given out before counts no more. */
  async passkeyOptions(
    ctx: RequestContext,
    challenge: MfaChallenge,
    owner: UserAtHome,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const toSign = randomToken();
    const expiresAt = new Date(this.clock.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
    await this.challenges.updatePasskeyChallenge(ctx, challenge, toSign, expiresAt);
    const allowed = await this.passkeys.list(ctx, owner.user);
    return this.webAuthn.requestOptions(toSign, { allowed, userVerification: 'preferred' });
  }
}
