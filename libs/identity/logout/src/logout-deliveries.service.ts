import { Injectable } from '@nestjs/common';
import { organizationOf, type Page, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
import { OAuthClientsService } from '#identity/oauth';
import { type EndedSession, EndedSessionQuery } from './ended-session.query.js';
import {
  type AttemptRow,
  DeliveryHistoryQuery,
  type DeliveryReceiver,
  type DeliveryRow,
  type DeliveryStatus,
  type ReplayInput,
  ReplayService,
  RetryService,
} from '#webhooks/delivery-api';

/** A delivery with the session that ended, unless retention deleted the event. */
export type LogoutDelivery = DeliveryRow & { readonly ended: EndedSession | undefined };

/** Reads, resends and replays the logout tokens of an OAuth client. */
@Injectable()
export class LogoutDeliveriesService {
  constructor(
    private readonly clients: OAuthClientsService,
    private readonly history: DeliveryHistoryQuery,
    private readonly retries: RetryService,
    private readonly replays: ReplayService,
    private readonly endedSessions: EndedSessionQuery,
  ) {}

  /** @throws ResourceNotFound (404), InvalidCursor (400) */
  async list(
    ctx: RequestContext,
    clientId: string,
    request: PageRequest,
    status?: DeliveryStatus,
  ): Promise<Page<LogoutDelivery>> {
    const page = await this.history.list(ctx, await this.receiverOf(ctx, clientId), request, status ? { status } : {});
    return { ...page, items: await this.withSessions(ctx, page.items) };
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, clientId: string, deliveryId: string): Promise<LogoutDelivery & { attempts: AttemptRow[] }> {
    const found = await this.history.find(ctx, await this.receiverOf(ctx, clientId), deliveryId);
    const [delivery] = await this.withSessions(ctx, found ? [found] : []);
    if (!delivery) throw new ResourceNotFound('delivery', deliveryId);
    return delivery;
  }

  /** @throws ResourceNotFound (404), DeliveryInProgress, DeliveryNotRepeatable (409) */
  async retry(ctx: RequestContext, clientId: string, deliveryId: string): Promise<LogoutDelivery> {
    const delivery = await this.retries.retryOf(ctx, await this.receiverOf(ctx, clientId), deliveryId);
    return (await this.withSessions(ctx, [delivery]))[0]!;
  }

  /** Returns the number of deliveries. @throws ResourceNotFound (404), InvalidRequest (400), ReplayTooLarge (422) */
  async replay(ctx: RequestContext, clientId: string, input: ReplayInput): Promise<number> {
    return this.replays.replayOf(ctx, await this.receiverOf(ctx, clientId), input);
  }

  private async withSessions<D extends DeliveryRow>(
    ctx: RequestContext,
    deliveries: readonly D[],
  ): Promise<(D & Pick<LogoutDelivery, 'ended'>)[]> {
    const { tenantId } = organizationOf(ctx);
    const eventIds = deliveries.map(({ eventId }) => eventId);
    const sessions = await this.endedSessions.mapByEvent(ctx, tenantId, eventIds);
    return deliveries.map((delivery) => ({ ...delivery, ended: sessions.get(delivery.eventId) }));
  }

  /** Returns a client of the organization or, for a platform key, of the platform. Its deliveries are in the tenant of the users' organization. */
  private async receiverOf(ctx: RequestContext, clientId: string): Promise<DeliveryReceiver> {
    const { tenantId } = organizationOf(ctx);
    const { organization: _, ...platform } = ctx;
    const find = (within: RequestContext) => this.clients.get(within, clientId);
    const { id } = await find(ctx).catch((error: unknown) => {
      if (error instanceof ResourceNotFound && ctx.caller.kind === 'platform') return find(platform);
      throw error;
    });
    return { tenantId, id, enabled: true };
  }
}
