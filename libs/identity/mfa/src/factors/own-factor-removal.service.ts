import { Injectable } from '@nestjs/common';
import { ownUserOf, type RequestContext, ResourceNotFound, sessionOf } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { unneeded } from '#directory/privileges';
import { SessionService } from '#directory/sessions';
import { UserActivationService } from '#directory/users';
import type { FactorReference } from './enrolled-factors.service.js';
import { FactorChangesService } from './factor-changes.service.js';
import { FactorRulesService } from './factor-rules.service.js';

@Injectable()
export class OwnFactorRemovalService {
  constructor(
    private readonly userActivation: UserActivationService,
    private readonly factorChanges: FactorChangesService,
    private readonly factorRules: FactorRulesService,
    private readonly sessions: SessionService,
    private readonly work: UnitOfWork,
  ) {}

  /**
   * Removes a factor and ends the user's other sessions.
   * @throws ResourceNotFound (404) if the factor does not exist, FactorNeeded (409) if the organization requires the factor
   */
  async remove(ctx: RequestContext, factor: FactorReference): Promise<void> {
    const key = ownUserOf(ctx);
    await this.work.run(ctx, async (ctx) => {
      const owner = await this.userActivation.lock(ctx, key);
      const remaining = owner && (await this.factorChanges.remove(ctx, owner, factor, unneeded<'sign_in'>('own_account')));
      if (!remaining) throw notFound(factor);
      this.factorRules.assertSufficient(ctx, remaining);
      const loss = unneeded<'loss'>('own_account');
      await this.sessions.revokeAll(ctx, key, 'mfa_changed', owner.managingOrganization, loss, { exceptId: sessionOf(ctx).id });
    });
  }
}

const notFound = (factor: FactorReference): ResourceNotFound =>
  factor.method === 'passkey'
    ? new ResourceNotFound('passkey', factor.passkeyId)
    : new ResourceNotFound('mfa_factor', factor.method);
