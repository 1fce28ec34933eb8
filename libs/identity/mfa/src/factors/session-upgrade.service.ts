import { Injectable } from '@nestjs/common';
import { hasSecondFactor, type RequestContext, sessionOf } from '#platform/common';
import { unneeded } from '#directory/privileges';
import { SessionService } from '#directory/sessions';
import type { UserWithOrganization } from '#directory/users';
import type { FactorMethod } from '../mfa-method.js';
import { FactorRulesService } from './factor-rules.service.js';

@Injectable()
export class SessionUpgradeService {
  constructor(
    private readonly factorRules: FactorRulesService,
    private readonly sessions: SessionService,
  ) {}

  /**
   * Ends the user's other sessions. If the session has no allowed second factor, makes the session a full session and returns the new
   * token. Otherwise, returns null.
   */
  async upgrade(
    ctx: RequestContext,
    { user, managingOrganization }: UserWithOrganization,
    method: FactorMethod,
  ): Promise<string | null> {
    const { id, authenticationMethods, enrolmentOnly } = sessionOf(ctx);
    const { mfaMethods } = this.factorRules.getSessionRules(ctx);
    const isFull = !enrolmentOnly && hasSecondFactor(authenticationMethods, mfaMethods);
    const token = isFull ? null : await this.sessions.addAuthenticationMethod(ctx, user, id, method);
    await this.sessions.revokeAll(ctx, user, 'mfa_changed', managingOrganization, unneeded<'loss'>('own_account'), {
      exceptId: id,
    });
    return token;
  }
}
