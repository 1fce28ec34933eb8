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
    const inspected = await this.oneTimeTokens.inspect(ctx, token, 'invitation');
    if (!inspected) throw new InvitationInvalid('unknown');
    if (inspected.state !== 'valid') throw new InvitationInvalid(inspected.state);
    const key = { tenantId: inspected.token.tenantId, id: inspected.token.userId };
    const invited = await this.userActivation.find(ctx, key);
    if (!canAccept(invited, inspected.token)) throw new InvitationInvalid(reasonOf(invited));
    return { key, invited, expiresAt: inspected.token.expiresAt };
  }

  /**
   * Locks the invited user, consumes the token and returns the user. Only one of several concurrent calls succeeds.
   * @throws InvitationInvalid (400), also if the user or the organization has changed since `getInvited`
   */
  async consume(ctx: RequestContext, token: string, key: UserKey): Promise<UserWithOrganization> {
    // Resending an invitation also locks the user before the token. One order prevents deadlocks.
    const invited = await this.userActivation.lock(ctx, key);
    const consumedToken = await this.oneTimeTokens.consume(ctx, token, 'invitation');
    if (!consumedToken) throw new InvitationInvalid(await this.failureOf(ctx, token));
    if (!canAccept(invited, consumedToken)) throw new InvitationInvalid(reasonOf(invited));
    return invited;
  }

  private async failureOf(ctx: RequestContext, token: string) {
    const state = (await this.oneTimeTokens.inspect(ctx, token, 'invitation'))?.state;
    return state === undefined || state === 'valid' ? 'unknown' : state;
  }
}

const reasonOf = (invited: UserWithOrganization | null) => (invited?.user.status === 'active' ? 'activated' : 'unknown');

/** Returns whether the user and the organization are unchanged since the invitation was sent. */
const canAccept = (invited: UserWithOrganization | null, token: OneTimeToken): invited is UserWithOrganization =>
  invited !== null &&
  invited.user.status === 'pending' &&
  invited.user.emailKey === token.boundTo &&
  invited.managingOrganization.id === token.organizationId &&
  invited.managingOrganization.status === 'active';
