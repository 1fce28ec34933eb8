import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
  Unauthenticated,
} from '#identity/auth';
import { isSessionTokenShaped } from '#directory/sessions';
import { actorOf, callerOf, requestSessionOf, SessionCallersService } from './session-callers.service.js';

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
    return {
      caller: callerOf(activeSession),
      actor: actorOf(activeSession),
      session: requestSessionOf(activeSession),
    };
  }
}
