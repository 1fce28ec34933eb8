import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { ForwardedSignIns } from '#identity/auth';
import { LiveChallengesService, MfaChallengeInvalid } from '#identity/mfa';
import { OrganizationScopeQuery } from '#directory/organizations';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import type { FirstFactor } from '../sign-in-outcome.js';

export interface ChallengedSignIn {
  readonly owner: UserWithOrganization;
  readonly organization: OrganizationScope;
  readonly firstMethod: FirstFactor;
  readonly identityProviderId: string | null;
}

@Injectable()
export class ChallengedSignInsService implements OnModuleInit {
  constructor(
    private readonly liveChallenges: LiveChallengesService,
    private readonly userActivation: UserActivationService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly forwardedSignIns: ForwardedSignIns,
  ) {}

  onModuleInit(): void {
    this.forwardedSignIns.register('challengeToken', (ctx, token) => this.liveChallenges.findOrganization(ctx, token));
  }

  /** @throws MfaChallengeInvalid (401) */
  async get(ctx: RequestContext, challengeToken: string): Promise<ChallengedSignIn> {
    const signIn = await this.liveChallenges.findSignIn(ctx, challengeToken);
    const owner = signIn && (await this.userActivation.find(ctx, signIn.user));
    const organization = signIn && (await this.organizationScopes.findScope(ctx, signIn.organizationId));
    if (!owner || !organization) throw new MfaChallengeInvalid();
    const { firstMethod, identityProviderId } = signIn;
    return { owner, organization, firstMethod: firstMethod as FirstFactor, identityProviderId };
  }
}
