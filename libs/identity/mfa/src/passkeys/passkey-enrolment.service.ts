import { Injectable } from '@nestjs/common';
import { Clock, newId, ownUserOf, type RequestContext } from '#platform/common';
import { randomToken } from '#platform/crypto';
import { EnrolmentAuthorizationService } from '../enrolment/enrolment-authorization.service.js';
import { EnrolmentNotConfirmed, PasskeyLimit } from '../enrolment/enrolment-errors.js';
import { PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import { type AddedFactor, FactorAdditionService } from '../factors/factor-addition.service.js';
import type { Passkey } from './passkey.entity.js';
import { PasskeyRepository } from './passkey.repository.js';
import {
  PASSKEY_CHALLENGE_LIFETIME_MS,
  type PublicKeyCredentialCreationOptionsJSON,
  WebAuthnService,
} from './web-authn.service.js';

const MAX_PASSKEYS = 20;

@Injectable()
export class PasskeyEnrolmentService {
  constructor(
    private readonly enrolmentAuthorization: EnrolmentAuthorizationService,
    private readonly pendingEnrolments: PendingEnrolmentsService,
    private readonly factorAddition: FactorAdditionService,
    private readonly passkeys: PasskeyRepository,
    private readonly webAuthn: WebAuthnService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the options with which a browser creates a passkey.
   * @throws PasskeyLimit (422), and the errors of `EnrolmentAuthorizationService.authorize`
   */
  async start(ctx: RequestContext, currentPassword: string | undefined): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { user, managingOrganization } = await this.enrolmentAuthorization.authorize(ctx, 'passkey', currentPassword);
    const existing = await this.passkeys.list(ctx, user);
    if (existing.length >= MAX_PASSKEYS) throw new PasskeyLimit(MAX_PASSKEYS);
    const challenge = randomToken();
    await this.pendingEnrolments.start(ctx, 'passkey', { challenge }, PASSKEY_CHALLENGE_LIFETIME_MS);
    const names = {
      rpName: managingOrganization.name,
      userId: user.id,
      userName: user.email,
      displayName: user.displayName ?? user.email,
    };
    return this.webAuthn.creationOptions(challenge, names, existing);
  }

  /** @throws SsoRequired (403), EnrolmentMissing (409), EnrolmentNotConfirmed (422), PasskeyRegistered (409), HashingOverloaded (503) */
  async complete(ctx: RequestContext, credential: object, name: string): Promise<AddedFactor & { passkey: Passkey }> {
    const enrolment = await this.pendingEnrolments.startAttempt<{ challenge: string }>(ctx, 'passkey');
    const registered = await this.webAuthn.verifyRegistration(credential, enrolment.content.challenge);
    if (!registered) {
      // A challenge accepts only one response, correct or not.
      await this.pendingEnrolments.complete(ctx, enrolment);
      throw new EnrolmentNotConfirmed();
    }
    const { tenantId, id: userId } = ownUserOf(ctx);
    const id = newId('passkey');
    const createdAt = this.clock.now();
    const passkey: Passkey = { ...registered, tenantId, id, userId, name, imported: false, createdAt, lastUsedAt: null };
    const added = await this.factorAddition.add(ctx, enrolment, async (ctx, owner, signIn) => {
      await this.enrolmentAuthorization.assertNotRequired(ctx, owner, 'passkey');
      await this.passkeys.insert(ctx, passkey, signIn);
    });
    return { ...added, passkey };
  }
}
