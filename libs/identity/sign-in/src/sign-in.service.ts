import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext, SessionRules } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { MfaChallengesService, type MfaMethod } from '#identity/mfa';
import {
  assertActive,
  EffectiveSettingsService,
  lacksSecondFactor,
  type OrganizationSettings,
  strictestSettings,
} from '#directory/organizations';
import { SessionService } from '#directory/sessions';
import { SsoRequirementService, type User, UserActivationService, type UserWithOrganization } from '#directory/users';
import { SignInAttemptsService } from './attempts/sign-in-attempts.service.js';
import { InvalidCredentials } from './sign-in-errors.js';
import type { FirstFactor, SignInOutcome } from './sign-in-outcome.js';

interface AttemptedSignIn {
  readonly owner: UserWithOrganization;
  /** The organization of the sign-in. */
  readonly organization: OrganizationScope;
  readonly method: FirstFactor;
}

interface SignInRules {
  /** The strictest rules of the managing organization and the organization that the user signs in to. */
  readonly session: SessionRules;
  /** Whether an owner uses a method that `ssoRequired` forbids to other users. */
  readonly bypassesSso: boolean;
}

export interface VerifiedFactor extends AttemptedSignIn {
  /** Whether the factor counts as two factors: a passkey that verified the person, or a trusted provider that required a second factor. */
  readonly multiFactor: boolean;
  /** The identity provider that verified the factor. */
  readonly identityProviderId?: string | null;
  /** The number of failures in a row before this success. */
  readonly earlierFailures?: number;
}

/** A second factor that was verified after the first factor. */
export type VerifiedSecondFactor = Omit<VerifiedFactor, 'multiFactor'> & { readonly mfaMethod: MfaMethod };

/** The method of a second factor that an identity provider required; see `hasSecondFactor`. */
const MFA_AT_PROVIDER = 'mfa';

/** Opens sessions. No other service opens sessions, so every sign-in satisfies the rules of the organization of the sign-in and of the managing organization. */
@Injectable()
export class SignInService {
  constructor(
    private readonly userActivation: UserActivationService,
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly mfaChallenges: MfaChallengesService,
    private readonly sessions: SessionService,
    private readonly signInAttempts: SignInAttemptsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Continues after the first factor. Starts an MFA challenge if the user has a second factor, else opens a session. If the organization
   * requires MFA and the user has no factor, the session only allows adding a factor.
   * @throws OrganizationSuspended, OrganizationPending (409), SsoRequired (403), InvalidCredentials (401) if the user is not active
   */
  async complete(ctx: RequestContext, verified: VerifiedFactor): Promise<SignInOutcome> {
    assertActive(verified.organization);
    const { user } = verified.owner;
    if (user.status !== 'active') throw new InvalidCredentials();
    if (verified.multiFactor) {
      const rules = await this.getRules(ctx, verified);
      return this.open(ctx, verified, rules, verified.method === 'oidc' ? MFA_AT_PROVIDER : null);
    }
    const gettingRules = this.getRules(ctx, verified);
    const [rules, methods] = await Promise.all([
      gettingRules,
      this.mfaChallenges.listMethods(
        ctx,
        user,
        gettingRules.then(({ session }) => session.mfaMethods),
      ),
    ]);
    if (methods.length === 0) return this.open(ctx, verified, rules, null);
    const { organization, method: firstMethod, identityProviderId = null } = verified;
    const signIn = { user, organizationId: organization.id, firstMethod, identityProviderId, methods };
    return { kind: 'mfa_required', ...(await this.mfaChallenges.startForSignIn(ctx, signIn)) };
  }

  /**
   * Continues after the second factor. If the organization requires MFA but does not allow this factor, the session only allows adding a
   * factor.
   * @throws OrganizationSuspended, OrganizationPending (409), SsoRequired (403), InvalidCredentials (401) if the user is not active
   */
  async completeSecondFactor(ctx: RequestContext, verified: VerifiedSecondFactor): Promise<SignInOutcome> {
    assertActive(verified.organization);
    return this.open(ctx, verified, await this.getRules(ctx, verified), verified.mfaMethod);
  }

  /** Returns the rules for a sign-in. Publishes `user.login_failed` for a refused sign-in. @throws SsoRequired (403) */
  private async getRules(ctx: RequestContext, { owner, organization, method }: AttemptedSignIn): Promise<SignInRules> {
    const settings = await this.effectiveSettings.resolveAll(ctx, [owner.managingOrganization, organization]);
    const [managing, signIn] = settings.map(([, { values }]) => values) as [OrganizationSettings, OrganizationSettings];
    const session = strictestSettings([managing, signIn]);
    if (method === 'oidc') return { session, bypassesSso: false };
    const requirement = await this.ssoRequirement.getFor(ctx, owner, managing);
    if (requirement !== 'required') return { session, bypassesSso: requirement === 'excepted' };
    const { user, managingOrganization } = owner;
    const failure = { owner, email: user.email, method, reason: 'sso_required', failedAttempts: 0, locked: false } as const;
    await this.signInAttempts.recordFailure(ctx, organization, failure);
    throw await this.ssoRequirement.error(ctx, managingOrganization);
  }

  private async open(
    ctx: RequestContext,
    { owner, organization, method, identityProviderId = null, earlierFailures = 0 }: Omit<VerifiedFactor, 'multiFactor'>,
    { session: sessionRules, bypassesSso }: SignInRules,
    mfaMethod: MfaMethod | typeof MFA_AT_PROVIDER | null,
  ): Promise<SignInOutcome> {
    const authenticationMethods = mfaMethod === null ? [method] : [method, mfaMethod];
    const client = await ctx.findWaitingClient?.();
    const mfaEnrolmentRequired = lacksSecondFactor(sessionRules, { authenticationMethods });
    return this.work.run(asUser(ctx, owner.user), async (ctx) => {
      const locked = await this.userActivation.lockAgain(ctx, owner);
      // Checked again under the lock, because the user may have been suspended in the meantime.
      if (locked?.user.status !== 'active') throw new InvalidCredentials();
      const { user } = locked;
      await this.signInAttempts.recordSuccess(ctx, organization, user, earlierFailures);
      const { session, token } = await this.sessions.create(ctx, {
        user,
        organizationId: organization.id,
        authenticationMethods,
        identityProviderId,
        enrolmentOnly: mfaEnrolmentRequired,
        lifetimeSeconds: sessionRules.sessionLifetime,
      });
      const data = { userId: user.id, sessionId: session.id, method, mfaMethod };
      const login = { ...data, ...(client ? { client } : {}) };
      await this.work.publish(ctx, 'user.login', organization, login, { userId: user.id });
      const { managingOrganization } = locked;
      if (bypassesSso) await this.work.publish(ctx, 'security.sso_bypassed', managingOrganization, data, { userId: user.id });
      return { kind: 'session', session, token, mfaEnrolmentRequired };
    });
  }
}

const asUser = (ctx: RequestContext, { id, email }: User): RequestContext => ({ ...ctx, actor: { type: 'user', id, email } });
