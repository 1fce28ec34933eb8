import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock, ownUserOf, type RequestContext, sessionOf } from '#platform/common';
import { AppConfig } from '#platform/config';
import { SignJWT } from 'jose';
import { ACCESS_TOKEN_LIFETIME_MS, SIGNING_ALGORITHM } from './signing-key-rotation.js';
import { hasRoleIn } from '../callers/session-callers.service.js';
import { ReservedAudiences } from './reserved-audiences.js';
import { SigningKeysService } from './signing-keys.service.js';

export interface AccessToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Signs access tokens (RFC 9068) for sessions. Other services verify the tokens without a request to this service. A token is valid for
 * five minutes, even if the session ends, but never longer than the session can be used. This service accepts only session tokens.
 */
@Injectable()
export class AccessTokensService {
  constructor(
    private readonly signingKeys: SigningKeysService,
    private readonly audiences: ReservedAudiences,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Returns a token of the signed-in user. `audience` is the service that accepts the token. @throws AudienceReserved (409) */
  async issue(ctx: RequestContext, audience: string = this.config.baseUrl): Promise<AccessToken> {
    await this.audiences.assertFree(ctx, audience);
    const user = ownUserOf(ctx);
    const session = sessionOf(ctx);
    const now = this.clock.now();
    const lifetimeMs = Math.min(ACCESS_TOKEN_LIFETIME_MS, session.rules.sessionTimeout * 1_000);
    const expiresAt = new Date(Math.min(seconds(now) * 1_000 + lifetimeMs, seconds(session.expiresAt) * 1_000));
    const { kid, key } = await this.signingKeys.current();
    const token = await new SignJWT({
      // Required by RFC 9068. No OAuth client has this id, so that an API can tell these tokens from those of OAuth clients.
      client_id: this.config.baseUrl,
      sid: session.id,
      // The organization of the sign-in can be one where the user has no role.
      ...(hasRoleIn(ctx.caller, session.organizationId) ? { org: session.organizationId } : {}),
      tenant: user.tenantId,
      auth_time: seconds(session.authenticatedAt),
      amr: [...session.authenticationMethods],
      // The party that acts for the subject (RFC 8693, section 4.1).
      ...(session.impersonator ? { act: { sub: session.impersonator.id } } : {}),
    })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ: 'at+jwt' })
      .setIssuer(this.config.baseUrl)
      .setAudience(audience)
      .setSubject(user.id)
      .setIssuedAt(seconds(now))
      .setExpirationTime(seconds(expiresAt))
      .setJti(randomUUID())
      .sign(key);
    return { token, expiresAt };
  }
}

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000);
