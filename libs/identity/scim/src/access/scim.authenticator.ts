import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, isInNetworks, type RequestOrigin } from '#platform/common';
import { hashToken } from '#platform/crypto';
import {
  type AuthenticatedCaller,
  type CredentialAuthenticator,
  CredentialAuthenticators,
  NetworkNotAllowed,
  Unauthenticated,
} from '#identity/auth';
import { SCIM_TOKEN_PREFIX, ScimTokensService } from '#directory/scim-connections';
import { scimCallerOf } from './scim-caller.js';

/** Authenticates the tokens of SCIM connections. */
@Injectable()
export class ScimAuthenticator implements CredentialAuthenticator, OnModuleInit {
  readonly transports = ['bearer'] as const;

  constructor(
    private readonly tokens: ScimTokensService,
    private readonly clock: Clock,
    private readonly authenticators: CredentialAuthenticators,
  ) {}

  onModuleInit(): void {
    this.authenticators.register(this);
  }

  async authenticate(token: string, origin: RequestOrigin = {}): Promise<AuthenticatedCaller | null> {
    if (!token.startsWith(SCIM_TOKEN_PREFIX)) return null;
    const known = await this.tokens.findByHash(hashToken(token));
    if (!known) throw new Unauthenticated('This SCIM token is unknown. Its connection may have been deleted.');
    if (known.revokedAt) throw new Unauthenticated('This SCIM token has been revoked. Use another token.');
    if (known.expiresAt && known.expiresAt <= this.clock.now())
      throw new Unauthenticated('This SCIM token has expired. Use another token.');
    if (known.allowedNetworks && !isInNetworks(origin, known.allowedNetworks))
      throw new NetworkNotAllowed(
        "This SCIM token can't be used",
        origin,
        'Use one of its allowed networks, which are set when the token is created.',
      );
    await this.tokens.recordUse(known);
    const { connectionId: id, organization, suspended, connectionName: name, adoptExistingUsers, mode } = known;
    return {
      caller: { ...scimCallerOf(id, organization, { name, adoptExistingUsers, mode }), suspended },
      actor: { type: 'scim', id, name },
    };
  }
}
