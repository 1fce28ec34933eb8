import { Injectable } from '@nestjs/common';
import { Clock, type OrganizationScope, type RequestContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { TransactionRunner } from '#platform/database';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { UserActivationService, type UserAtHome } from '#directory/users';
import { FactorNoticesService } from '../factors/factor-notices.service.js';
import { MfaChallengeInvalid, MfaFailed, type MfaFailureReason } from '../mfa-errors.js';
import type { CodeMethod, MfaMethod } from '../mfa-method.js';
import type { PublicKeyCredentialRequestOptionsJSON } from '../passkeys/web-authn.js';
import { ChallengeMeansService, type SentCode } from './challenge-means.service.js';
import { FactorOffersService } from './factor-offers.service.js';
import { ChallengeAttemptQuery } from './challenge-attempt.query.js';
import type { MfaChallenge } from './mfa-challenge.entity.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import { type OfferedProof, ProofsService, type UsableProof } from './proofs.service.js';

/** Also how long a code counts that was sent: NIST SP 800-63B-4, 3.1.3.2, allows ten minutes. */
const LIFETIME_MS = 10 * 60_000;

/** Whose sign-in waits for a second factor, and how it began. */
export interface ChallengedSignIn {
  readonly user: UserKey;
  readonly organizationId: string;
  readonly firstMethod: string;
}

export interface StartedChallenge {
  /** 256 random bits, shown this once. */
  readonly challengeToken: string;
  readonly methods: readonly MfaMethod[];
  readonly expiresAt: Date;
}

/** The challenge to prove a second factor, within ten minutes and five tries: at sign-in, and for a session whose user proves again who they are. */
@Injectable()
export class SecondFactorsService {
  constructor(
    private readonly challenges: MfaChallengeRepository,
    private readonly attempts: ChallengeAttemptQuery,
    private readonly offers: FactorOffersService,
    private readonly means: ChallengeMeansService,
    private readonly proofs: ProofsService,
    private readonly notices: FactorNoticesService,
    private readonly users: UserActivationService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly settings: EffectiveSettingsService,
    private readonly transactions: TransactionRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * What a user can prove a second factor by, the strongest first, `recovery_code` last; nothing for a user without one. Where none of the
   * user's is in `allowed` (the organization's `mfaMethods`), all are: they must not be skipped because a setting changed.
   */
  async usableBy(ctx: RequestContext, user: UserKey, allowed: readonly string[]): Promise<MfaMethod[]> {
    return this.offers.to(ctx, user, allowed);
  }

  /** Starts a challenge once the first factor is proven. @throws Error for a user without a second factor; ask `usableBy` first. */
  async startChallenge(ctx: RequestContext, signIn: ChallengedSignIn): Promise<StartedChallenge> {
    const started = await this.start(ctx, { ...signIn, sessionId: null });
    if (!started) throw new Error('This user has no factor that can be verified.');
    return started;
  }

  /** Starts a challenge for the user of a session, who is to prove again who they are; null for a user without a second factor. */
  async challengeSession(
    ctx: RequestContext,
    user: UserKey,
    session: { readonly id: string; readonly organizationId: string },
  ): Promise<StartedChallenge | null> {
    return this.start(ctx, { user, organizationId: session.organizationId, firstMethod: 'session', sessionId: session.id });
  }

  /** Whether the user of a session has a second factor that the organization signed in to takes. */
  async hasAny(ctx: RequestContext, user: UserKey, { organizationId }: { readonly organizationId: string }): Promise<boolean> {
    return (await this.offered(ctx, user, organizationId)).length > 0;
  }

  private async offered(ctx: RequestContext, user: UserKey, organizationId: string): Promise<readonly MfaMethod[]> {
    const organization = await this.organization(ctx, organizationId);
    return this.offers.to(ctx, user, (await this.settings.of(ctx, organization)).values.mfaMethods);
  }

  private async start(
    ctx: RequestContext,
    { user, organizationId, firstMethod, sessionId }: ChallengedSignIn & { readonly sessionId: string | null },
  ): Promise<StartedChallenge | null> {
    const methods = await this.offered(ctx, user, organizationId);
    if (methods.length === 0) return null;
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
    const challengeToken = randomToken();
    const whose = { tenantId: user.tenantId, userId: user.id, organizationId, sessionId };
    const tokenHash = hashToken(challengeToken);
    await this.challenges.insert(ctx, { ...whose, tokenHash, firstMethod, methods: [...methods], expiresAt, createdAt });
    return { challengeToken, methods, expiresAt };
  }

  /** Whose sign-in a challenge completes, for those who keep locks; null when it is over, never was, or is no sign-in's. */
  async find(ctx: RequestContext, challengeToken: string): Promise<ChallengedSignIn | null> {
    const challenge = await this.challenges.findLive(ctx, hashToken(challengeToken), this.clock.now());
    return challenge && challenge.sessionId === null ? signInOf(challenge) : null;
  }

  /** Sends a code, or a new one. @throws MfaChallengeInvalid (401), CodeLimit (429) */
  async sendCode(
    ctx: RequestContext,
    { challengeToken, method }: { challengeToken: string; method: CodeMethod },
  ): Promise<SentCode> {
    return this.transactions.run(ctx, async (ctx) => {
      const { challenge, owner } = await this.live(ctx, challengeToken, method);
      return this.means.sendCode(ctx, challenge, owner, method);
    });
  }

  /** What a passkey is to sign. @throws MfaChallengeInvalid (401) */
  async passkeyOptions(ctx: RequestContext, challengeToken: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.transactions.run(ctx, async (ctx) => {
      const { challenge, owner } = await this.live(ctx, challengeToken, 'passkey');
      return this.means.passkeyOptions(ctx, challenge, owner);
    });
  }

  /**
   * Completes a challenge of a sign-in or, with `sessionId`, of that session; of several right proofs at once, one does. Outside a transaction, since each try counts whatever becomes of it.
   * @throws MfaChallengeInvalid (401: over, or never was), MfaFailed (401: a try is gone), HashingOverloaded (503)
   */
  async verify(
    ctx: RequestContext,
    { challengeToken, ...proof }: OfferedProof & { challengeToken: string },
    sessionId: string | null = null,
  ): Promise<ChallengedSignIn & { method: MfaMethod }> {
    if (ctx.transaction) throw new Error('A factor must be verified before the transaction that creates the session.');
    const challenge = await this.attempts.count(ctx, hashToken(challengeToken), this.clock.now());
    const owner = challenge && (await this.ownerOf(ctx, challenge));
    if (!challenge || !owner || challenge.sessionId !== sessionId) throw new MfaChallengeInvalid();
    const usable = await this.proofs.judge(ctx, challenge, proof);
    const failure = typeof usable === 'string' ? usable : await this.complete(ctx, challenge, owner, usable);
    if (failure !== null) throw await this.failed(ctx, challenge, owner, failure);
    return { ...signInOf(challenge), method: proof.method };
  }

  /** Uses challenge and proof up, or neither. */
  private async complete(
    ctx: RequestContext,
    challenge: MfaChallenge,
    owner: UserAtHome,
    use: UsableProof,
  ): Promise<MfaFailureReason | null> {
    try {
      await this.transactions.run(ctx, async (ctx) => {
        if (!(await this.challenges.consume(ctx, challenge, this.clock.now()))) throw new MfaChallengeInvalid();
        const tooLate = await use(ctx, owner);
        if (tooLate !== null) throw new ProofUsedUp(tooLate);
      });
      return null;
    } catch (error) {
      if (error instanceof ProofUsedUp) return error.reason;
      throw error;
    }
  }

  private async failed(
    ctx: RequestContext,
    challenge: MfaChallenge,
    owner: UserAtHome,
    reason: MfaFailureReason,
  ): Promise<MfaFailed> {
    if (reason === 'passkey_counter') await this.notices.reportReuse(ctx, owner, 'passkey_counter');
    if (reason === 'totp_reused') await this.notices.reportReuse(ctx, owner, 'totp_reused');
    const { user, organizationId, firstMethod } = signInOf(challenge);
    return new MfaFailed(reason, user, organizationId, firstMethod);
  }

  private async live(ctx: RequestContext, challengeToken: string, method: MfaMethod) {
    const challenge = await this.challenges.findLive(ctx, hashToken(challengeToken), this.clock.now());
    const owner = challenge?.methods.includes(method) ? await this.ownerOf(ctx, challenge) : null;
    if (!challenge || !owner) throw new MfaChallengeInvalid();
    return { challenge, owner };
  }

  /** Null when the password was changed since it was proven: whoever did not change it is out. */
  private async ownerOf(ctx: RequestContext, challenge: MfaChallenge): Promise<UserAtHome | null> {
    const owner = await this.users.find(ctx, signInOf(challenge).user);
    const changedAt = owner?.user.lastPasswordChangeAt;
    return challenge.firstMethod === 'password' && changedAt && changedAt > challenge.createdAt ? null : owner;
  }

  private async organization(ctx: RequestContext, id: string): Promise<OrganizationScope> {
    const organization = await this.scopes.findScope(ctx, id);
    if (!organization) throw new Error('A challenge can be started only in an existing organization.');
    return organization;
  }
}

/** Makes the transaction roll back, so that the challenge stays for another try. */
class ProofUsedUp extends Error {
  constructor(readonly reason: MfaFailureReason) {
    super(reason);
  }
}

const signInOf = ({ tenantId, userId, organizationId, firstMethod }: MfaChallenge): ChallengedSignIn => ({
  user: { tenantId, id: userId },
  organizationId,
  firstMethod,
});
