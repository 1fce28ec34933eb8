import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { randomToken } from '#platform/crypto';
import { EffectiveSettingsService } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { UserActivationService } from '#directory/users';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { PasskeyRefused } from '../mfa-errors.js';
import { PasskeyProofsService } from './passkey-proofs.service.js';
import { PasskeySignInChallengesService } from './passkey-sign-in-challenges.service.js';
import { challengeOf, type PublicKeyCredentialRequestOptionsJSON, WebAuthnService } from './web-authn.service.js';

/** Verifies sign-ins with only a passkey. The passkey counts as two factors: the device, and the PIN or biometric that unlocks the device. */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeySignInChallenges: PasskeySignInChallengesService,
    private readonly passkeyProofs: PasskeyProofsService,
    private readonly webAuthn: WebAuthnService,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly userActivation: UserActivationService,
    private readonly factorNotices: FactorNoticesService,
  ) {}

  /** Returns the options for a browser. The options are similar for a nonexistent organization (null), but no response is accepted. */
  async startSignIn(ctx: RequestContext, organization: OrganizationScope | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const challenge = organization ? await this.passkeySignInChallenges.create(ctx, organization) : randomToken();
    return this.webAuthn.requestOptions(challenge, { userVerification: 'required' });
  }

  /**
   * Verifies a response, outside a transaction, and returns the user of the passkey. The caller must check whether the user can sign in to
   * the organization.
   * @throws PasskeyRefused (401), also if the organization does not allow passkeys
   */
  async verifySignIn(ctx: RequestContext, organization: OrganizationScope, credential: object): Promise<UserKey> {
    if (ctx.transaction) throw new Error('A passkey must be verified before the transaction that creates the session.');
    const challenge = challengeOf(credential);
    if (challenge === null || !(await this.passkeySignInChallenges.consume(ctx, organization, challenge)))
      throw new PasskeyRefused('unknown');
    const verified = await this.passkeyProofs.verify(ctx, organization.tenantId, credential, challenge, { userVerified: true });
    if (!verified) throw new PasskeyRefused('unknown');
    const user = { tenantId: verified.passkey.tenantId, id: verified.passkey.userId };
    const { mfaMethods } = (await this.effectiveSettings.get(ctx, organization)).values;
    if (!mfaMethods.includes('passkey')) throw new PasskeyRefused('passkey_refused', user);
    if (await this.passkeyProofs.recordUse(ctx, verified)) return user;
    const owner = await this.userActivation.find(ctx, user);
    if (owner) await this.factorNotices.reportReuse(ctx, owner, 'passkey_counter');
    throw new PasskeyRefused('passkey_counter', user);
  }
}
