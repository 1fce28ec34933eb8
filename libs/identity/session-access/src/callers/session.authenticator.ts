import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
  Unauthenticated,
} from '#identity/auth';
import type { Caller } from '#platform/common';
import { isSessionTokenShaped } from '#directory/sessions';
import { requestSessionOf, SessionCallersService, type ActiveSession } from './session-callers.service.js';

@Injectable()
export class SessionAuthenticator implements CredentialAuthenticator, OnModuleInit {
  readonly transports = ['bearer', 'cookie'] as const;

  constructor(
    private readonly sessionCallers: SessionCallersService,
    private readonly authenticators: CredentialAuthenticators,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  async authenticate(token: string): Promise<AuthenticatedCaller | null> {
    if (!isSessionTokenShaped(token)) return null;
    const activeSession = await this.sessionCallers.find(token);
    if (!activeSession) throw new Unauthenticated('This session has ended or does not exist. Sign in again.');
    const { session, user } = activeSession;
    return {
      caller: callerOf(activeSession),
      actor: { type: 'user', id: session.userId, email: user.email },
      session: requestSessionOf(activeSession),
    };
  }
}

/** Returns the user as a caller. The access guard adds the permissions for the operation. */
export const callerOf = ({ session, user }: Pick<ActiveSession, 'session' | 'user'>): Caller => ({
  kind: 'user',
  id: session.userId,
  tenantId: session.tenantId,
  // The id of a tenant is the id of its root organization.
  tenantIds: [...new Set(user.grants.map(({ organizationId, ancestorIds: [root = organizationId] }) => root))],
  organizationIds: user.grants.map(({ organizationId }) => organizationId),
  permissions: [],
  grants: user.grants,
  suspended: user.suspended,
});
