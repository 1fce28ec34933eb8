import { Injectable } from '@nestjs/common';
import {
  Clock,
  type OrganizationScope,
  ReauthenticationRequired,
  type RequestContext,
  type RequestSession,
  type SessionRules,
} from '#platform/common';
import { EffectiveSettingsService, findUnmetRule } from '#directory/organizations';
import { MfaRequired, NetworkNotAllowed } from './access-errors.js';

type OrganizationRef = Pick<OrganizationScope, 'id' | 'ancestorIds' | 'name'>;

/** Decides whether an organization that a request addresses accepts the session. */
@Injectable()
export class SessionAcceptanceService {
  constructor(
    private readonly effectiveSettings: EffectiveSettingsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Asserts that the session satisfies the rules of the organization, and comes from a network that the session's own rules allow.
   * @throws NetworkNotAllowed, MfaRequired (403), ReauthenticationRequired (401)
   */
  async assertAccepted(ctx: RequestContext, session: RequestSession, organization: OrganizationRef): Promise<void> {
    const rules = await this.rulesOf(ctx, session, organization);
    const unmet = findUnmetRule(rules, session, ctx, this.clock.now());
    if (unmet === 'network')
      throw new NetworkNotAllowed(
        `The organization "${organization.name}" can't be managed`,
        ctx,
        'Use a network that is listed in the setting allowedNetworks of this organization, of the organization that manages you and of the organization that you signed in to.',
      );
    if (unmet === 'mfa') throw new MfaRequired();
    if (unmet === 'time')
      throw new ReauthenticationRequired(Math.min(rules.sessionTimeout, rules.sessionLifetime), { signInCounts: true });
  }

  private async rulesOf(ctx: RequestContext, session: RequestSession, organization: OrganizationRef): Promise<SessionRules> {
    return session.organizationId === organization.id
      ? session.rules
      : this.effectiveSettings.getSessionRules(ctx, [organization]);
  }
}
