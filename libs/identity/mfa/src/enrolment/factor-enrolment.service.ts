import { Injectable } from '@nestjs/common';
import { newId, ownUserOf, type RequestContext } from '#platform/common';
import { constantTimeEqual, randomToken, SecretSealer } from '#platform/crypto';
import { UnitOfWork } from '#platform/events';
import { CodeFactorsService } from '../codes/code-factors.service.js';
import { digitsOf, maskedDestination, newSecurityCode } from '../codes/security-code.js';
import { type AddedFactor, FactorChangesService } from '../factors/factor-changes.service.js';
import type { CodeMethod } from '../mfa-method.js';
import type { Passkey } from '../passkeys/passkey.entity.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import {
  PASSKEY_CHALLENGE_LIFETIME_MS,
  type PublicKeyCredentialCreationOptionsJSON,
  WebAuthnService,
} from '../passkeys/web-authn.service.js';
import { totpContext } from '../sealing-contexts.js';
import { matchingStep, newTotpSeed, totpUri } from '../totp/totp.js';
import { TotpFactorRepository } from '../totp/totp-factor.repository.js';
import { EnrolmentNotConfirmed, PasskeyLimit } from './enrolment-errors.js';
import { EnrolmentsService } from './enrolments.service.js';

const MAX_PASSKEYS = 20;

/** The secret for an authenticator app, which is returned only once. */
export interface TotpSetUp {
  /** The secret in base32. */
  readonly secret: string;
  readonly uri: string;
  readonly expiresAt: Date;
}

interface SentCode {
  readonly destination: string;
  readonly code: string;
}

/** Adds factors of the signed-in user in two steps: a start, and a confirmation with the new factor. */
@Injectable()
export class FactorEnrolmentService {
  constructor(
    private readonly enrolments: EnrolmentsService,
    private readonly factorChanges: FactorChangesService,
    private readonly totpFactors: TotpFactorRepository,
    private readonly codeFactors: CodeFactorsService,
    private readonly passkeys: PasskeyRepository,
    private readonly webAuthn: WebAuthnService,
    private readonly sealer: SecretSealer,
    private readonly work: UnitOfWork,
  ) {}

  /** Creates the secret of an authenticator app. @throws the errors of `EnrolmentsService.authorize` */
  async startTotp(ctx: RequestContext, currentPassword: string | undefined): Promise<TotpSetUp> {
    const { user, managingOrganization } = await this.enrolments.authorize(ctx, 'totp', currentPassword);
    const seed = newTotpSeed();
    const expiresAt = await this.enrolments.start(ctx, 'totp', { seed });
    return { secret: seed, uri: totpUri(seed, managingOrganization.name, user.email), expiresAt };
  }

  /**
   * Adds the authenticator app, which replaces the previous app.
   * @throws EnrolmentMissing (409), EnrolmentNotConfirmed (422), HashingOverloaded (503)
   */
  async confirmTotp(ctx: RequestContext, code: string): Promise<AddedFactor> {
    const enrolment = await this.enrolments.startAttempt<{ seed: string }>(ctx, 'totp');
    const { seed } = enrolment.content;
    const createdAt = this.work.now();
    const lastStep = matchingStep(seed, code, createdAt);
    if (lastStep === null) throw new EnrolmentNotConfirmed();
    return this.factorChanges.add(ctx, 'totp', async (ctx, { user: { tenantId, id: userId } }, signIn) => {
      await this.enrolments.complete(ctx, enrolment);
      const seedSealed = this.sealer.seal(seed, totpContext(userId));
      await this.totpFactors.replace(ctx, { tenantId, userId, seedSealed, lastStep, createdAt }, signIn);
    });
  }

  /**
   * Sends a first code to the user's email address or to the given phone number.
   * @throws CodeLimit (429), and the errors of `EnrolmentsService.authorize`
   */
  async startCodes(
    ctx: RequestContext,
    target: { readonly method: 'email' } | { readonly method: 'sms'; readonly phoneNumber: string },
    currentPassword: string | undefined,
  ): Promise<{ destination: string; expiresAt: Date }> {
    const owner = await this.enrolments.authorize(ctx, target.method, currentPassword);
    return this.work.run(ctx, async (ctx) => {
      const destination = target.method === 'sms' ? target.phoneNumber : owner.user.email;
      const code = newSecurityCode();
      const expiresAt = await this.enrolments.start(ctx, target.method, { destination, code } satisfies SentCode);
      await this.codeFactors.sendCode(ctx, owner, { method: target.method, destination }, { code, expiresAt });
      return { destination: maskedDestination(destination), expiresAt };
    });
  }

  /** Adds email codes or SMS codes. @throws EnrolmentMissing (409), EnrolmentNotConfirmed (422), HashingOverloaded (503) */
  async confirmCodes(ctx: RequestContext, method: CodeMethod, code: string): Promise<AddedFactor> {
    const enrolment = await this.enrolments.startAttempt<SentCode>(ctx, method);
    const { destination, code: sent } = enrolment.content;
    if (!constantTimeEqual(digitsOf(code), sent)) throw new EnrolmentNotConfirmed();
    return this.factorChanges.add(ctx, method, async (ctx, owner, signIn) => {
      await this.enrolments.complete(ctx, enrolment);
      await this.codeFactors.add(ctx, owner, method, destination, signIn);
    });
  }

  /**
   * Returns the options with which a browser creates a passkey.
   * @throws PasskeyLimit (422), and the errors of `EnrolmentsService.authorize`
   */
  async startPasskey(ctx: RequestContext, currentPassword: string | undefined): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { user, managingOrganization } = await this.enrolments.authorize(ctx, 'passkey', currentPassword);
    const existing = await this.passkeys.list(ctx, user);
    if (existing.length >= MAX_PASSKEYS) throw new PasskeyLimit(MAX_PASSKEYS);
    const challenge = randomToken();
    await this.enrolments.start(ctx, 'passkey', { challenge }, PASSKEY_CHALLENGE_LIFETIME_MS);
    const names = {
      rpName: managingOrganization.name,
      userId: user.id,
      userName: user.email,
      displayName: user.displayName ?? user.email,
    };
    return this.webAuthn.creationOptions(challenge, names, existing);
  }

  /**
   * Adds the passkey that the browser created.
   * @throws SsoRequired (403), EnrolmentMissing, PasskeyRegistered (409), EnrolmentNotConfirmed (422), HashingOverloaded (503)
   */
  async confirmPasskey(ctx: RequestContext, credential: object, name: string): Promise<AddedFactor & { passkey: Passkey }> {
    const enrolment = await this.enrolments.startAttempt<{ challenge: string }>(ctx, 'passkey');
    const registered = await this.webAuthn.verifyRegistration(credential, enrolment.content.challenge);
    if (!registered) {
      // A challenge accepts only one response, correct or not.
      await this.enrolments.complete(ctx, enrolment);
      throw new EnrolmentNotConfirmed();
    }
    const { tenantId, id: userId } = ownUserOf(ctx);
    const id = newId('passkey');
    const createdAt = this.work.now();
    const passkey: Passkey = { ...registered, tenantId, id, userId, name, imported: false, createdAt, lastUsedAt: null };
    const added = await this.factorChanges.add(ctx, 'passkey', async (ctx, owner, signIn) => {
      await this.enrolments.complete(ctx, enrolment);
      await this.enrolments.assertNotRequired(ctx, owner, 'passkey');
      await this.passkeys.insert(ctx, passkey, signIn);
    });
    return { ...added, passkey };
  }
}
