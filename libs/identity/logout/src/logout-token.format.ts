import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '#platform/config';
import type { EventPayload } from '#platform/events';
import type { DeliveredEvent, Format, Message } from '#webhooks/delivery';
import type { LogoutReceiver } from '#identity/oauth';
import { SigningKeysService } from '#identity/session-access';
import { SignJWT } from 'jose';

const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Clients must not accept an old token. The specification recommends at most two minutes. */
const LIFETIME_SECONDS = 120;

/** Encodes `oauth_session.ended` as a logout token for the client (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
@Injectable()
export class LogoutTokenFormat implements Format<LogoutReceiver> {
  constructor(
    private readonly signingKeys: SigningKeysService,
    private readonly config: AppConfig,
  ) {}

  async encode({ payload, nowMs }: DeliveredEvent, receiver: LogoutReceiver): Promise<Message> {
    const { data } = JSON.parse(payload) as EventPayload<'oauth_session.ended'>;
    const { algorithm, sessionRequired } = receiver;
    const { kid, key } = await this.signingKeys.current(algorithm);
    const issuedAt = Math.floor(nowMs / 1_000);
    const token = await new SignJWT({
      events: { [LOGOUT_EVENT]: {} },
      // Without a session, the client ends all sessions of the user.
      ...(sessionRequired ? { sid: data.sessionId } : {}),
    })
      .setProtectedHeader({ alg: algorithm, kid, typ: 'logout+jwt' })
      .setIssuer(this.config.baseUrl)
      .setAudience(data.audience)
      .setSubject(data.userId)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME_SECONDS)
      // Another one for each attempt: a client that remembers the ids would refuse a retry after a lost response.
      .setJti(randomUUID())
      .sign(key);
    return {
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'user-agent': `${this.config.serviceName}-logout/1.0`,
      },
      body: new URLSearchParams({ logout_token: token }).toString(),
    };
  }
}
