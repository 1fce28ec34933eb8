import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import type { EventPayload, EventType } from '#platform/events';
import { OAuthClientQuery } from '#identity/oauth';
import {
  type EventReceiver,
  type ReceivableEvent,
  type ReceiverKey,
  type ReceiverKind,
  ReceiverKinds,
  type ReceiverTarget,
} from '#webhooks/delivery';
import { LogoutTokenFormat } from './logout-token.format.js';

/** Makes OAuth clients receivers of logout tokens, with the deliveries of webhooks: relay, queue, attempts, retries and history. */
@Injectable()
export class LogoutReceiversService implements ReceiverKind, OnModuleInit {
  readonly idPrefix = 'app_';
  readonly eventTypes: ReadonlySet<EventType> = new Set(['oauth_session.ended']);

  constructor(
    private readonly kinds: ReceiverKinds,
    private readonly clients: OAuthClientQuery,
    private readonly format: LogoutTokenFormat,
  ) {}

  onModuleInit(): void {
    this.kinds.register(this);
  }

  receiversOf(_ctx: RequestContext, _tenantId: string, events: readonly ReceivableEvent[]): EventReceiver[] {
    return events.map(({ id: eventId, payload }) => {
      const { data } = JSON.parse(payload) as EventPayload<'oauth_session.ended'>;
      return { eventId, receiverId: data.clientId, waits: false };
    });
  }

  /** Reads the current address. The deliveries of a client that was deleted, or that has no address any more, are skipped. */
  async findTargets(ctx: RequestContext, keys: readonly ReceiverKey[]): Promise<ReadonlyMap<string, ReceiverTarget>> {
    const receivers = await Promise.all(keys.map(({ id }) => this.clients.findLogoutReceiver(ctx, id)));
    return new Map(
      receivers
        .filter((receiver) => receiver !== undefined)
        .map((receiver) => [receiver.id, { url: receiver.uri, encode: (event) => this.format.encode(event, receiver) }]),
    );
  }
}
