import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { AppConfig } from '#platform/config';
import type { EventPayload } from '#platform/events';
import { SigningKeysService } from '#identity/session-access';
import { SignJWT } from 'jose';
import { audienceOf } from '../protocol/stream-configuration.js';
import { type ReceivingStream, SsfStreamQuery } from '../streams/ssf-stream.query.js';
import { STREAM_UPDATED, VERIFICATION } from './event-uris.js';
import { initiatingEntity, type SecurityEvent, securityEventOf } from './security-events.js';

/** Receivers of the CAEP interoperability profile accept only this algorithm. */
const ALGORITHM = 'RS256';

type Claims = Readonly<Record<string, unknown>>;

interface TokenContent {
  readonly subject: Claims;
  readonly uri: string;
  readonly event: Claims;
}

const seconds = (time: string): number => Math.floor(new Date(time).getTime() / 1_000);

/** Encodes events of the service as security event tokens (RFC 8417) for a stream. */
@Injectable()
export class SecurityEventTokensService {
  constructor(
    private readonly streams: SsfStreamQuery,
    private readonly signingKeys: SigningKeysService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns the token of an event, which is the same in each attempt: its id and time are those of the event. Returns undefined if the stream
   * does not contain the event, because the receiver removed the user or the data of the event was deleted.
   */
  async encode(ctx: RequestContext, stream: ReceivingStream, payload: string): Promise<string | undefined> {
    const event = JSON.parse(payload) as EventPayload;
    const content = contentOfStream(event) ?? (await this.contentOfUser(ctx, stream, event));
    if (!content) return undefined;
    const { kid, key } = await this.signingKeys.current(ALGORITHM);
    const txn = event.metadata?.requestId;
    return new SignJWT({
      ...(txn === undefined ? {} : { txn }),
      sub_id: content.subject,
      events: { [content.uri]: content.event },
    })
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'secevent+jwt' })
      .setIssuer(this.config.baseUrl)
      .setAudience(audienceOf(stream))
      .setIssuedAt(seconds(event.timestamp))
      .setJti(event.id)
      .sign(key);
  }

  private async contentOfUser(
    ctx: RequestContext,
    stream: ReceivingStream,
    event: EventPayload,
  ): Promise<TokenContent | undefined> {
    const found = securityEventOf(event);
    if (!found || (await this.streams.isRemoved(ctx, stream, found.userId))) return undefined;
    return {
      subject: await this.subjectOf(ctx, stream, found),
      uri: found.uri,
      event: {
        ...found.members,
        event_timestamp: seconds(event.timestamp),
        initiating_entity: initiatingEntity(event.actor, found.userId),
      },
    };
  }

  private async subjectOf(ctx: RequestContext, stream: ReceivingStream, event: SecurityEvent): Promise<Claims> {
    const { userId, email, sessionId, isAboutEmail } = event;
    const wantsEmail = isAboutEmail ?? stream.subjectFormat === 'email';
    const address = wantsEmail ? (email ?? (await this.streams.findEmail(ctx, stream.tenantId, userId))) : undefined;
    const user =
      address === undefined ? { format: 'iss_sub', iss: this.config.baseUrl, sub: userId } : { format: 'email', email: address };
    return sessionId === undefined ? user : { format: 'complex', user, session: { format: 'opaque', id: sessionId } };
  }
}

/** Returns the content of an event about a stream itself. */
function contentOfStream(event: EventPayload): TokenContent | undefined {
  const subject = { format: 'opaque', id: (event.data as { id?: string }).id };
  if (event.type === 'ssf_stream.verification_requested') {
    const { state } = (event as EventPayload<typeof event.type>).data;
    return { subject, uri: VERIFICATION, event: state === undefined ? {} : { state } };
  }
  if (event.type !== 'ssf_stream.updated') return undefined;
  const { status, statusReason } = (event as EventPayload<typeof event.type>).data;
  return { subject, uri: STREAM_UPDATED, event: { status, ...(statusReason === null ? {} : { reason: statusReason }) } };
}
