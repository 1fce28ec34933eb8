import { Injectable } from '@nestjs/common';
import { Clock, type RequestContext } from '#platform/common';
import { hashToken, randomToken } from '#platform/crypto';
import { EffectiveSettingsService, OrganizationScopeQuery } from '#directory/organizations';
import type { UserKey } from '#directory/sessions';
import { EnrolledFactorsService, methodsOf } from '../factors/enrolled-factors.service.js';
import type { MfaMethod } from '../mfa-method.js';
import { RecoveryCodesService } from '../recovery-codes/recovery-codes.service.js';
import { MfaChallengeRepository } from './mfa-challenge.repository.js';
import { offeredMethods } from './offered-methods.js';

/** The lifetime of challenges and codes. NIST SP 800-63B-4, 3.1.3.2, allows ten minutes. */
const LIFETIME_MS = 10 * 60_000;

export interface ChallengedSignIn {
  readonly user: UserKey;
  readonly organizationId: string;
  readonly firstMethod: string;
}

export interface StartedChallenge {
  /** A token of 256 random bits, returned only once. */
  readonly challengeToken: string;
  readonly methods: readonly MfaMethod[];
  readonly expiresAt: Date;
}

/** Starts challenges to verify a second factor, for sign-ins and reauthentications. */
@Injectable()
export class MfaChallengesService {
  constructor(
    private readonly mfaChallenges: MfaChallengeRepository,
    private readonly enrolledFactors: EnrolledFactorsService,
    private readonly recoveryCodes: RecoveryCodesService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the methods that can complete a challenge of the user, strongest first, `recovery_code` last; empty for a user without a
   * factor. Returns all methods of the user if `allowed` contains none of them, because a setting must not disable the second factor.
   */
  async listMethods(ctx: RequestContext, user: UserKey, allowed: readonly string[]): Promise<MfaMethod[]> {
    const offered = offeredMethods(methodsOf(await this.enrolledFactors.get(ctx, user)), allowed);
    if (offered.length === 0) return [];
    const unusedCodeCount = (await this.recoveryCodes.count(ctx, user)) ?? 0;
    return [...offered, ...(unusedCodeCount > 0 ? ['recovery_code' as const] : [])];
  }

  /** Starts the challenge of a sign-in after the first factor. @throws Error for a user without a factor: call `listMethods` first */
  async startForSignIn(ctx: RequestContext, signIn: ChallengedSignIn): Promise<StartedChallenge> {
    const challenge = await this.start(ctx, { ...signIn, sessionId: null });
    if (!challenge) throw new Error('This user has no factor that can be verified.');
    return challenge;
  }

  /** Starts the challenge of a reauthentication. Returns null for a user without a factor. */
  async startForSession(
    ctx: RequestContext,
    user: UserKey,
    session: { readonly id: string; readonly organizationId: string },
  ): Promise<StartedChallenge | null> {
    return this.start(ctx, { user, organizationId: session.organizationId, firstMethod: 'session', sessionId: session.id });
  }

  /** Returns whether the user has a factor for a challenge in the organization. */
  async hasFactor(ctx: RequestContext, user: UserKey, { organizationId }: { readonly organizationId: string }): Promise<boolean> {
    return (await this.listMethodsIn(ctx, user, organizationId)).length > 0;
  }

  private async start(
    ctx: RequestContext,
    { user, organizationId, firstMethod, sessionId }: ChallengedSignIn & { readonly sessionId: string | null },
  ): Promise<StartedChallenge | null> {
    const methods = await this.listMethodsIn(ctx, user, organizationId);
    if (methods.length === 0) return null;
    const createdAt = this.clock.now();
    const expiresAt = new Date(createdAt.getTime() + LIFETIME_MS);
    const challengeToken = randomToken();
    await this.mfaChallenges.insert(ctx, {
      tenantId: user.tenantId,
      tokenHash: hashToken(challengeToken),
      userId: user.id,
      organizationId,
      firstMethod,
      sessionId,
      methods,
      expiresAt,
      createdAt,
    });
    return { challengeToken, methods, expiresAt };
  }

  private async listMethodsIn(ctx: RequestContext, user: UserKey, organizationId: string): Promise<MfaMethod[]> {
    const organization = await this.organizationScopes.findScope(ctx, organizationId);
    if (!organization) throw new Error('A challenge can be started only in an existing organization.');
    return this.listMethods(ctx, user, (await this.effectiveSettings.get(ctx, organization)).values.mfaMethods);
  }
}
