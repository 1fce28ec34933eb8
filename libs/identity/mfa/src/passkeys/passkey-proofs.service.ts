import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import type { Passkey } from './passkey.entity.js';
import { PasskeyRepository } from './passkey.repository.js';
import { credentialIdOf, namesUser, type PasskeyAssertion, WebAuthnService } from './web-authn.service.js';

export interface VerifiedPasskey {
  readonly passkey: Passkey;
  readonly assertion: PasskeyAssertion;
}

@Injectable()
export class PasskeyProofsService {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly webAuthn: WebAuthnService,
    private readonly clock: Clock,
  ) {}

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
}
