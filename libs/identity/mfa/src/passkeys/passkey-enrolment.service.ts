import { Injectable } from '@nestjs/common';
import { Clock, newId, ownUserOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { randomToken } from '#platform/crypto';
import { UserActivationService } from '#directory/users';
import { EnrolmentNotConfirmed, PasskeyLimit } from '../enrolment/enrolment-errors.js';
import { PendingEnrolmentsService } from '../enrolment/pending-enrolments.service.js';
import { type AddedFactor, FactorAdditionService } from '../factors/factor-addition.service.js';
import { FactorRulesService } from '../factors/factor-rules.service.js';
import { ReauthenticationService } from '../reauthentication/reauthentication.service.js';
import type { Passkey } from './passkey.entity.js';
import { PasskeyRepository } from './passkey.repository.js';
import { PASSKEY_CHALLENGE_LIFETIME_MS, type PublicKeyCredentialCreationOptionsJSON, WebAuthn } from './web-authn.js';

const MAX_PASSKEYS = 20;

/** Adds passkeys. */
@Injectable()
export class PasskeyEnrolmentService {
  constructor(
    private readonly rules: FactorRulesService,
    private readonly reauthentication: ReauthenticationService,
    private readonly pending: PendingEnrolmentsService,
    private readonly addition: FactorAdditionService,
    private readonly passkeys: PasskeyRepository,
    private readonly webAuthn: WebAuthn,
    private readonly users: UserActivationService,
    private readonly clock: Clock,
  ) {}

  /**
   * What a browser needs to make a passkey for the signed-in user.
   * @throws MfaMethodNotAllowed, PasskeyLimit (422), CurrentPasswordRequired, CurrentPasswordWrong (403), ReauthenticationLocked (429)
   */
  async begin(ctx: RequestContext, currentPassword: string | undefined): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const key = ownUserOf(ctx);
    await this.rules.demandAllowed(ctx, 'passkey');
    await this.reauthentication.demand(ctx, currentPassword, { freshSignInWillDo: true });
    const owner = await this.users.find(ctx, key);
    if (!owner) throw new ResourceNotFound('user', key.id);
    const existing = await this.passkeys.list(ctx, key);
    if (existing.length >= MAX_PASSKEYS) throw new PasskeyLimit(MAX_PASSKEYS);
    const challenge = randomToken();
    await this.pending.begin(ctx, 'passkey', { challenge }, PASSKEY_CHALLENGE_LIFETIME_MS);
    const { user, home } = owner;
    const names = { rpName: home.name, userId: user.id, userName: user.email, displayName: user.displayName ?? user.email };
    return this.webAuthn.creationOptions(challenge, names, existing);
  }

  /** @throws EnrolmentMissing (409), EnrolmentNotConfirmed (422), PasskeyRegistered (409), HashingOverloaded (503) */
  async finish(ctx: RequestContext, credential: object, name: string): Promise<AddedFactor & { passkey: Passkey }> {
    const enrolment = await this.pending.open<{ challenge: string }>(ctx, 'passkey');
    const registered = await this.webAuthn.registered(credential, enrolment.content.challenge);
    if (!registered) {
      // A challenge is answered once, rightly or not.
      await this.pending.finish(ctx, enrolment);
      throw new EnrolmentNotConfirmed();
    }
    const { tenantId, id: userId } = ownUserOf(ctx);
    const named = { tenantId, id: newId('passkey'), userId, name, createdAt: this.clock.now(), lastUsedAt: null };
    const passkey: Passkey = { ...registered, ...named };
    const added = await this.addition.add(ctx, enrolment, async (ctx) => {
      await this.passkeys.insert(ctx, passkey);
    });
    return { ...added, passkey };
  }
}
