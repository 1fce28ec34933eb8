import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { EffectiveSettingsService } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { UserActivationService } from '#directory/users';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { PasskeyRefused } from '../mfa-errors.js';
import { PasskeySignInRepository } from './passkey-sign-in.repository.js';
import type { Passkey } from './passkey.entity.js';
import { PasskeyRepository } from './passkey.repository.js';
import {
  challengeOf,
  credentialIdOf,
  namesUser,
  PASSKEY_CHALLENGE_LIFETIME_MS,
  type PasskeyAssertion,
  type PublicKeyCredentialRequestOptionsJSON,
  WebAuthnService,
} from './web-authn.service.js';

export interface VerifiedPasskey {
  readonly passkey: Passkey;
  readonly assertion: PasskeyAssertion;
}

/**
 * Verifies responses of passkeys: of sign-ins with only a passkey, and of second factors. In a sign-in with only a passkey, the passkey
 * counts as two factors: the device, and the PIN or biometric that unlocks the device.
 */
@Injectable()
export class PasskeysService {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly passkeySignIns: PasskeySignInRepository,
    private readonly webAuthn: WebAuthnService,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly userActivation: UserActivationService,
    private readonly factorNotices: FactorNoticesService,
    private readonly clock: Clock,
  ) {}

  /** Returns the options for a browser. The options are similar for a nonexistent organization (null), but no response is accepted. */
  async startSignIn(ctx: RequestContext, organization: OrganizationScope | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const challenge = organization ? await this.createSignInChallenge(ctx, organization) : randomToken();
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
    if (challenge === null || !(await this.consumeSignInChallenge(ctx, organization, challenge)))
      throw new PasskeyRefused('unknown');
    const verified = await this.verify(ctx, organization.tenantId, credential, challenge, { userVerified: true });
    if (!verified) throw new PasskeyRefused('unknown');
    const user = { tenantId: verified.passkey.tenantId, id: verified.passkey.userId };
    const { mfaMethods } = (await this.effectiveSettings.get(ctx, organization)).values;
    if (!mfaMethods.includes('passkey')) throw new PasskeyRefused('passkey_refused', user);
    if (await this.recordUse(ctx, verified)) return user;
    const owner = await this.userActivation.find(ctx, user);
    if (owner) await this.factorNotices.reportReuse(ctx, owner, 'passkey_counter');
    throw new PasskeyRefused('passkey_counter', user);
  }

  /** Returns the options for a response of one of the user's passkeys. */
  async createOptions(ctx: RequestContext, user: UserKey, challenge: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const allowed = await this.passkeys.list(ctx, user);
    return this.webAuthn.requestOptions(challenge, { allowed, userVerification: 'preferred' });
  }

  /** Returns the passkey that signed the challenge, or null if no passkey of the tenant signed it. */
  async verify(
    ctx: RequestContext,
    tenantId: string,
    credential: object,
    challenge: string,
    { userVerified }: { readonly userVerified: boolean },
  ): Promise<VerifiedPasskey | null> {
    const credentialId = credentialIdOf(credential);
    const passkey = credentialId === null ? null : await this.passkeys.findByCredential(ctx, tenantId, credentialId);
    if (!passkey || !(passkey.imported || namesUser(credential, passkey.userId))) return null;
    const assertion = await this.webAuthn.verifyAssertion(credential, challenge, passkey, userVerified);
    return assertion && { passkey, assertion };
  }

  /** Records a use. Returns false if the counter did not increase, because an attacker may have copied the key (WebAuthn, 6.1.1). */
  async recordUse(ctx: RequestContext, { passkey, assertion }: VerifiedPasskey): Promise<boolean> {
    return this.passkeys.recordUse(ctx, passkey, assertion, this.clock.now());
  }

  /** Creates a challenge of 256 random bits, which works once and expires after five minutes. */
  private async createSignInChallenge(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope): Promise<string> {
    const challenge = randomToken();
    const expiresAt = new Date(this.clock.now().getTime() + PASSKEY_CHALLENGE_LIFETIME_MS);
    await this.passkeySignIns.insert(ctx, { tenantId, organizationId, challengeHash: hashToken(challenge), expiresAt });
    return challenge;
  }

  /** Deletes a challenge. Returns true to only one of several concurrent calls, and false if the challenge is unknown, used or expired. */
  private async consumeSignInChallenge(
    ctx: RequestContext,
    organization: OrganizationScope,
    challenge: string,
  ): Promise<boolean> {
    return this.passkeySignIns.consume(ctx, organization, hashToken(challenge), this.clock.now());
  }
}
