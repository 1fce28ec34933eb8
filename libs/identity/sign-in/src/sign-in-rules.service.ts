import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext, SessionRules } from '#platform/common';
import { EffectiveSettingsService, type OrganizationSettings, strictestSettings } from '#directory/organizations';
import { SsoRequirementService, type UserWithOrganization } from '#directory/users';
import { FailedSignInsService } from './login/failed-sign-ins.service.js';
import type { FirstFactor } from './sign-in-outcome.js';

export interface AttemptedSignIn {
  readonly owner: UserWithOrganization;
  /** The organization of the sign-in. */
  readonly organization: OrganizationScope;
  readonly method: FirstFactor;
}

export interface SignInRules {
  /** The strictest rules of the managing organization and the organization that the user signs in to. */
  readonly session: SessionRules;
  /** Whether an owner uses a method that `ssoRequired` forbids to other users. */
  readonly bypassesSso: boolean;
}

/** Decides whether a user can sign in with a method, after the method was verified. */
@Injectable()
export class SignInRulesService {
  constructor(
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly ssoRequirement: SsoRequirementService,
    private readonly failedSignIns: FailedSignInsService,
  ) {}

  /** Returns the rules for a sign-in. Publishes `user.login_failed` for a refused sign-in. @throws SsoRequired (403) */
  async get(ctx: RequestContext, { owner, organization, method }: AttemptedSignIn): Promise<SignInRules> {
    const settings = await this.effectiveSettings.resolveAll(ctx, [owner.managingOrganization, organization]);
    const [managing, signIn] = settings.map(([, { values }]) => values) as [OrganizationSettings, OrganizationSettings];
    const session = strictestSettings([managing, signIn]);
    if (method === 'oidc') return { session, bypassesSso: false };
    const requirement = await this.ssoRequirement.getFor(ctx, owner, managing);
    if (requirement !== 'required') return { session, bypassesSso: requirement === 'excepted' };
    const { user, managingOrganization } = owner;
    const failure = { owner, email: user.email, method, reason: 'sso_required', failedAttempts: 0, locked: false } as const;
    await this.failedSignIns.record(ctx, organization, failure);
    throw await this.ssoRequirement.error(ctx, managingOrganization);
  }
}
