import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { PasskeyRefused, PasskeysService, type PublicKeyCredentialRequestOptionsJSON } from '#identity/mfa';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SignInUsersService, type User, UserActivationService, type UserWithOrganization } from '#directory/users';
import { SignInAttemptsService } from '../attempts/sign-in-attempts.service.js';
import { InvalidCredentials } from '../sign-in-errors.js';
import type { SignInOutcome } from '../sign-in-outcome.js';
import { SignInService } from '../sign-in.service.js';

/** Signs users in with only a passkey. Passkeys can't be guessed, so failures don't lock the account. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly organizationScopes: OrganizationScopeQuery,
    private readonly userActivation: UserActivationService,
    private readonly signInUsers: SignInUsersService,
    private readonly signIn: SignInService,
    private readonly signInAttempts: SignInAttemptsService,
  ) {}

  /** Returns the options for a browser. The options are similar for a nonexistent organization. */
  async start(ctx: RequestContext, organization: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.startSignIn(ctx, await this.organizationScopes.findScope(ctx, organization));
  }

  /** @throws PasskeyRefused (401); with a correct passkey, OrganizationSuspended, OrganizationPending (409) */
  async complete(
    ctx: RequestContext,
    { organization: handle, credential }: { organization: string; credential: object },
  ): Promise<{ outcome: SignInOutcome; user: User }> {
    const organization = await this.organizationScopes.findScope(ctx, handle);
    if (!organization) throw new PasskeyRefused('unknown');
    try {
      const owner = await this.getActiveUser(ctx, organization, await this.passkeys.verifySignIn(ctx, organization, credential));
      const outcome = await this.signIn.complete(ctx, { owner, organization, method: 'passkey', multiFactor: true });
      return { outcome, user: owner.user };
    } catch (error) {
      // The user may have been suspended in the meantime.
      const refused = error instanceof InvalidCredentials ? new PasskeyRefused('unknown') : error;
      if (refused instanceof PasskeyRefused && refused.user) await this.recordFailure(ctx, organization, refused);
      throw refused;
    }
  }

  /** Returns the user if the user can sign in to the organization. @throws PasskeyRefused (401) */
  private async getActiveUser(
    ctx: RequestContext,
    organization: OrganizationScope,
    key: { tenantId: string; id: string },
  ): Promise<UserWithOrganization> {
    const passkeyOwner = await this.userActivation.find(ctx, key);
    const owner = passkeyOwner && (await this.signInUsers.find(ctx, organization, passkeyOwner.user.email));
    if (owner?.user.id !== key.id || owner.user.status !== 'active') throw new PasskeyRefused('passkey_refused', key);
    return owner;
  }

  private async recordFailure(
    ctx: RequestContext,
    organization: OrganizationScope,
    { user: key, reason }: PasskeyRefused,
  ): Promise<void> {
    const owner = key && (await this.userActivation.find(ctx, key));
    if (!owner) return;
    const failure = { owner, email: owner.user.email, method: 'passkey', reason, failedAttempts: 1, locked: false } as const;
    await this.signInAttempts.recordFailure(ctx, organization, failure);
  }
}
