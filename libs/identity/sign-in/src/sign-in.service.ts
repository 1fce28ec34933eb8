import { Injectable } from '@nestjs/common';
import { holdsSecondFactor, type OrganizationScope, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { MfaChallengesService, type MfaMethod } from '#identity/mfa';
import { EffectiveSettingsService, OrganizationPending, OrganizationSuspended } from '#directory/organizations';
import { SessionService } from '#directory/sessions';
import { type User, SignInUsersService, UserActivationService, type UserAtHome } from '#directory/users';
import { SignInAttemptsService } from './attempts/sign-in-attempts.service.js';
import { SignInOriginsService } from './attempts/sign-in-origins.service.js';
import { InvalidCredentials } from './sign-in-errors.js';
import type { FirstFactor, SignInOutcome } from './sign-in-outcome.js';

/** A first factor that was proven. */
export interface ProvenFactor {
  readonly user: UserAtHome;
  /** Where the person signs in: its settings govern the session. */
  readonly organization: OrganizationScope;
  readonly method: FirstFactor;
  /** The factor is as good as two, such as a passkey that verified its user, or a provider that asked for a second one. */
  readonly multiFactor: boolean;
  /** Failures in a row before this success. */
  readonly earlierFailures?: number;
}

/** A second factor that was proven after a first one. */
export type ProvenSecondFactor = Omit<ProvenFactor, 'multiFactor'> & { readonly mfaMethod: MfaMethod };

/** Stands for the second factor that an identity provider asked for; see `holdsSecondFactor`. */
const VERIFIED_ELSEWHERE = 'mfa';

/** The one place where sessions are opened, so that no way of signing in goes past what an organization demands. */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UserActivationService,
    private readonly signInUsers: SignInUsersService,
    private readonly settings: EffectiveSettingsService,
    private readonly mfaChallenges: MfaChallengesService,
    private readonly sessions: SessionService,
    private readonly attempts: SignInAttemptsService,
    private readonly origins: SignInOriginsService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Goes on after the first factor: opens the session, or asks for a second factor where the user has one. Where the user has none and the
   * organization requires one, the session can only add it.
   * @throws OrganizationSuspended, OrganizationPending (409), InvalidCredentials (401) when the user is not active
   */
  async complete(ctx: RequestContext, proven: ProvenFactor): Promise<SignInOutcome> {
    demandActive(proven.organization);
    const { user } = proven.user;
    if (user.status !== 'active') throw new InvalidCredentials();
    const { values } = await this.settings.of(ctx, proven.organization);
    if (proven.multiFactor) return this.open(ctx, proven, proven.method === 'oidc' ? VERIFIED_ELSEWHERE : null, false);
    const usable = await this.mfaChallenges.listMethods(ctx, user, values.mfaMethods);
    if (usable.length === 0) return this.open(ctx, proven, null, values.requireMfa);
    const begun = { user, organizationId: proven.organization.id, firstMethod: proven.method };
    return { kind: 'mfa_required', ...(await this.mfaChallenges.startForSignIn(ctx, begun)) };
  }

  /**
   * Goes on after the second factor. Where the organization requires one and allows this one no longer, the session can only add another.
   * @throws OrganizationSuspended, OrganizationPending (409), InvalidCredentials (401) when the user is not active
   */
  async completeSecondFactor(ctx: RequestContext, proven: ProvenSecondFactor): Promise<SignInOutcome> {
    demandActive(proven.organization);
    const { values } = await this.settings.of(ctx, proven.organization);
    const isEnough = !values.requireMfa || holdsSecondFactor([proven.mfaMethod], values.mfaMethods);
    return this.open(ctx, proven, proven.mfaMethod, !isEnough);
  }

  private async open(
    ctx: RequestContext,
    proven: Omit<ProvenFactor, 'multiFactor'>,
    mfaMethod: MfaMethod | typeof VERIFIED_ELSEWHERE | null,
    mfaEnrolmentRequired: boolean,
  ): Promise<SignInOutcome> {
    const { organization, method } = proven;
    const { values } = await this.settings.of(ctx, organization);
    return this.work.run(as(ctx, proven.user.user), async (ctx) => {
      const locked = await this.users.lock(ctx, proven.user.user);
      // Looked at again under the lock, so that no suspension slips in between.
      if (locked?.user.status !== 'active') throw new InvalidCredentials();
      const { user } = locked;
      const { session, token } = await this.sessions.create(ctx, {
        user,
        organizationId: organization.id,
        authenticationMethods: mfaMethod === null ? [method] : [method, mfaMethod],
        enrolmentOnly: mfaEnrolmentRequired,
        lifetimeSeconds: values.sessionLifetime,
      });
      await this.attempts.reset(ctx, user);
      await this.origins.note(ctx, organization, user, proven.earlierFailures ?? 0);
      await this.signInUsers.recordSignIn(ctx, user, this.work.now());
      const about = { userId: user.id, sessionId: session.id, method, mfaMethod };
      await this.work.publish(ctx, 'user.login', organization, about, { userId: user.id });
      return { kind: 'session', session, token, mfaEnrolmentRequired };
    });
  }
}

/** The context of what a person does after proving who they are. */
const as = (ctx: RequestContext, { id, email }: User): RequestContext => ({ ...ctx, actor: { type: 'user', id, email } });

function demandActive({ status, slug }: OrganizationScope): void {
  if (status === 'suspended') throw new OrganizationSuspended();
  if (status === 'pending') throw new OrganizationPending({ slug });
}
