import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Unauthenticated } from '../access/access-errors.js';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
} from '../access/credential-authenticator.js';
import { OperatorsService } from './operators.service.js';

/** Authenticates operators by a session token in a cookie. */
@Injectable()
export class OperatorSessionAuthenticator implements CredentialAuthenticator, OnModuleInit {
  readonly transports = ['cookie'] as const;

  constructor(
    private readonly operators: OperatorsService,
    private readonly authenticators: CredentialAuthenticators,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  /** Returns a caller with the actor of a platform key, because an operator is not a user. The source of events distinguishes operators. */
  async authenticate(token: string): Promise<AuthenticatedCaller | null> {
    if (!this.operators.isOperatorToken(token)) return null;
    const operatorSession = await this.operators.useSession(token);
    if (!operatorSession) throw new Unauthenticated('This session has ended. Open the dashboard with a new link.');
    const { id } = operatorSession;
    return { caller: { kind: 'platform', id, permissions: ['*'] }, actor: { type: 'api', id, platform: true }, operatorSession };
  }
}
