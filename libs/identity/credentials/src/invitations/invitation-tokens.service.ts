import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { type OneTimeToken, OneTimeTokenService, type UserKey } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import { InvitationInvalid } from './invitation-errors.js';

/** A user whose invitation can still be accepted. */
export interface InvitedUser {
  readonly key: UserKey;
  readonly invited: UserWithOrganization;
  readonly expiresAt: Date;
}

/** Finds the users of invitation links, and consumes the tokens. */
@Injectable()
export class InvitationTokensService {
  constructor(
    private readonly oneTimeTokens: OneTimeTokenService,
    private readonly userActivation: UserActivationService,
  ) {}

  /** Returns the invited user, without consuming the token. @throws InvitationInvalid (400) */
  async getInvited(ctx: RequestContext, token: string): Promise<InvitedUser> {
    const found = await this.oneTimeTokens.inspect(ctx, token, 'invitation');
    if (!found) throw new InvitationInvalid('unknown');
    if (found.state !== 'valid') throw new InvitationInvalid(found.state);
    const key = { tenantId: found.token.tenantId, id: found.token.userId };
    const invited = await this.userActivation.find(ctx, key);
    if (!canAccept(invited, found.token)) throw new InvitationInvalid('unknown');
    return { key, invited, expiresAt: found.token.expiresAt };
  }

  /**
   * Locks the invited user, consumes the token and returns the user. Only one of several concurrent calls succeeds.
   * @throws InvitationInvalid (400), also if the user or the organization has changed since `getInvited`
   */
  async consume(ctx: RequestContext, token: string, key: UserKey): Promise<UserWithOrganization> {
    // Resending an invitation also locks the user before the token. One order prevents deadlocks.
    const invited = await this.userActivation.lock(ctx, key);
    const consumed = await this.oneTimeTokens.consume(ctx, token, 'invitation');
    if (!consumed) throw new InvitationInvalid(await this.failureOf(ctx, token));
    if (!canAccept(invited, consumed)) throw new InvitationInvalid('unknown');
    return invited;
  }

  private async failureOf(ctx: RequestContext, token: string) {
    const state = (await this.oneTimeTokens.inspect(ctx, token, 'invitation'))?.state;
    return state === undefined || state === 'valid' ? 'unknown' : state;
  }
}

/** Returns whether the user and the organization are unchanged since the invitation was sent. */
const canAccept = (invited: UserWithOrganization | null, token: OneTimeToken): invited is UserWithOrganization =>
  invited !== null &&
  invited.user.status === 'pending' &&
  invited.user.emailKey === token.boundTo &&
  invited.managingOrganization.id === token.organizationId &&
  invited.managingOrganization.status === 'active';
