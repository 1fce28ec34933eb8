import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { PasskeyRefused, PasskeysService, type PublicKeyCredentialRequestOptionsJSON } from '#identity/mfa';
import { OrganizationScopeQuery } from '#directory/organizations';
import { SignInUsersService, type User, UserActivationService, type UserAtHome } from '#directory/users';
import { FailedSignInsService } from '../login/failed-sign-ins.service.js';
import { InvalidCredentials } from '../sign-in-errors.js';
import type { SignInOutcome } from '../sign-in-outcome.js';
import { SignInService } from '../sign-in.service.js';

/** Sign-in with nothing but a passkey. There is nothing to guess, so that failures lock nothing. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly scopes: OrganizationScopeQuery,
    private readonly users: UserActivationService,
    private readonly signInUsers: SignInUsersService,
    private readonly signIn: SignInService,
    private readonly failed: FailedSignInsService,
  ) {}

  /** What a passkey is to sign; for an organization that does not exist it looks the same. */
  async begin(ctx: RequestContext, organization: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.startSignIn(ctx, await this.scopes.findScope(ctx, organization));
  }

  /** @throws PasskeyRefused (401), and with the right passkey OrganizationSuspended, OrganizationPending (409) */
  async finish(
    ctx: RequestContext,
    { organization: handle, credential }: { organization: string; credential: object },
  ): Promise<{ outcome: SignInOutcome; user: User }> {
    const organization = await this.scopes.findScope(ctx, handle);
    if (!organization) throw new PasskeyRefused('unknown');
    try {
      const user = await this.admitted(ctx, organization, await this.passkeys.verifySignIn(ctx, organization, credential));
      const outcome = await this.signIn.complete(ctx, { user, organization, method: 'passkey', multiFactor: true });
      return { outcome, user: user.user };
    } catch (error) {
      // Suspended meanwhile: for who stands outside, that is no other answer.
      const refused = error instanceof InvalidCredentials ? new PasskeyRefused('unknown') : error;
      if (refused instanceof PasskeyRefused && refused.user) await this.record(ctx, organization, refused);
      throw refused;
    }
  }

  /** The user, if it may sign in at the organization. */
  private async admitted(
    ctx: RequestContext,
    organization: OrganizationScope,
    key: { tenantId: string; id: string },
  ): Promise<UserAtHome> {
    const owner = await this.users.find(ctx, key);
    const user = owner && (await this.signInUsers.find(ctx, organization, owner.user.email));
    if (user?.user.id !== key.id || user.user.status !== 'active') throw new PasskeyRefused('passkey_refused', key);
    return user;
  }

  private async record(
    ctx: RequestContext,
    organization: OrganizationScope,
    { user: key, reason }: PasskeyRefused,
  ): Promise<void> {
    const owner = key && (await this.users.find(ctx, key));
    if (!owner) return;
    const { user } = owner;
    const failure = { user, email: user.email, method: 'passkey', reason, failedAttempts: 1, locked: false } as const;
    await this.failed.record(ctx, organization, failure);
  }
}
