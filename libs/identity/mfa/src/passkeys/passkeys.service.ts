import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { EffectiveSettingsService } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { UserActivationService } from '#directory/users';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { PasskeyRefused } from '../mfa-errors.js';
import { PasskeyProofsService } from './passkey-proofs.service.js';
import { PasskeySignInRepository } from './passkey-sign-in.repository.js';
import { challengeOf, PASSKEY_CHALLENGE_LIFETIME_MS, type PublicKeyCredentialRequestOptionsJSON, WebAuthn } from './web-authn.js';

/**
 * Sign-in with nothing but a passkey. The person is verified by the authenticator (PIN, finger, face), so that it counts as two factors:
 * the device, and what unlocks it.
 */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly signIns: PasskeySignInRepository,
    private readonly proofs: PasskeyProofsService,
    private readonly webAuthn: WebAuthn,
    private readonly settings: EffectiveSettingsService,
    private readonly users: UserActivationService,
    private readonly notices: FactorNoticesService,
    private readonly clock: Clock,
  ) {}

  /** What a passkey is to sign within five minutes; for no organization (null) it looks the same and leads nowhere. */
  async startSignIn(ctx: RequestContext, organization: OrganizationScope | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const challenge = randomToken();
    if (organization) {
      const expiresAt = new Date(this.clock.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
      const { tenantId, id: organizationId } = organization;
      await this.signIns.insert(ctx, { tenantId, organizationId, challengeHash: hashToken(challenge), expiresAt });
    }
    return this.webAuthn.requestOptions(challenge, { userVerification: 'required' });
  }

  /**
   * The user whose passkey signed; whether that one may sign in at the organization is for the caller to see. Outside a transaction.
   * @throws PasskeyRefused (401), also where the organization does not allow passkeys
   */
  async finishSignIn(ctx: RequestContext, organization: OrganizationScope, credential: object): Promise<UserKey> {
    if (ctx.transaction) throw new Error('A passkey must be verified before the transaction that creates the session.');
    const challenge = challengeOf(credential);
    if (challenge === null || !(await this.signIns.consume(ctx, organization, hashToken(challenge), this.clock.now())))
      throw new PasskeyRefused('unknown');
    const proven = await this.proofs.judge(ctx, organization.tenantId, credential, challenge, { userVerified: true });
    if (!proven) throw new PasskeyRefused('unknown');
    const user = { tenantId: proven.passkey.tenantId, id: proven.passkey.userId };
    const { mfaMethods } = (await this.settings.of(ctx, organization)).values;
    if (!mfaMethods.includes('passkey')) throw new PasskeyRefused('passkey_refused', user);
    if (await this.proofs.use(ctx, proven)) return user;
    const owner = await this.users.find(ctx, user);
    if (owner) await this.notices.reportReuse(ctx, owner, 'passkey_counter');
    throw new PasskeyRefused('passkey_counter', user);
  }
}
