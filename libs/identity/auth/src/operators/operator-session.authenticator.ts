import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Unauthenticated } from '../access/access-errors.js';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
} from '../access/credential-authenticator.js';
import { OperatorSessionsService } from './operator-sessions.service.js';

/** Knows operators by their session, which lives in a cookie alone. */
@Injectable()
export class OperatorSessionAuthenticator implements CredentialAuthenticator, OnModuleInit {
  readonly transports = ['cookie'] as const;

  constructor(
    private readonly sessions: OperatorSessionsService,
    private readonly authenticators: CredentialAuthenticators,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  /** No user is known, so that the actor is what it is for a platform key; the source of events tells them apart. */
  async authenticate(token: string): Promise<AuthenticatedCaller | null> {
    if (!this.sessions.isOperatorToken(token)) return null;
    const operatorSession = await this.sessions.use(token);
    if (!operatorSession) throw new Unauthenticated('This session has ended. Open the dashboard with a new link.');
    const { id } = operatorSession;
    return { caller: { kind: 'platform', id, permissions: ['*'] }, actor: { type: 'api', id }, operatorSession };
  }
}
