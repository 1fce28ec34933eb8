import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import type { Passkey } from './passkey.entity.js';
import { PasskeyRepository } from './passkey.repository.js';
import { credentialIdOf, namesUser, type PasskeyAssertion, WebAuthn } from './web-authn.js';

/** A passkey that signed a challenge. */
export interface ProvenPasskey {
  readonly passkey: Passkey;
  readonly assertion: PasskeyAssertion;
}

/** Judges what passkeys sign. */
@Injectable()
export class PasskeyProofsService {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly webAuthn: WebAuthn,
    private readonly clock: Clock,
  ) {}

  /** The passkey that signed the challenge; null when none of the tenant did. */
  async judge(
    ctx: RequestContext,
    tenantId: string,
    credential: object,
    challenge: string,
    { userVerified }: { readonly userVerified: boolean },
  ): Promise<ProvenPasskey | null> {
    const credentialId = credentialIdOf(credential);
    const passkey = credentialId === null ? null : await this.passkeys.findByCredential(ctx, tenantId, credentialId);
    if (!passkey || !namesUser(credential, passkey.userId)) return null;
    const assertion = await this.webAuthn.asserted(credential, challenge, passkey, userVerified);
    return assertion && { passkey, assertion };
  }

  /** Notes the use; false when the counter did not grow since the last one: somebody may have copied the key (WebAuthn, 6.1.1). */
  async use(ctx: RequestContext, { passkey, assertion }: ProvenPasskey): Promise<boolean> {
    return this.passkeys.recordUse(ctx, passkey, assertion, this.clock.now());
  }
}
