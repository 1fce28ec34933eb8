import { Injectable } from '@nestjs/common';
import { organizationOf, type Page, type PageRequest, type RequestContext, ResourceNotFound } from '#platform/common';
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
import { SsfStreamQuery, type StreamProgress } from '../streams/ssf-stream.query.js';
import { SsfStreamRepository } from '../streams/ssf-stream.repository.js';
import type { SsfStream } from '../streams/ssf-stream.entity.js';
import { type StreamChange, StreamChangesService } from '../streams/stream-changes.service.js';

/** A stream with the progress of its deliveries. */
export interface ManagedStream {
  readonly stream: SsfStream;
  readonly progress: StreamProgress | undefined;
}

/** Shows the streams of an organization and their deliveries to administrators, who can pause, disable and delete streams. */
@Injectable()
export class StreamAdministrationService {
  constructor(
    private readonly streams: SsfStreamRepository,
    private readonly streamQuery: SsfStreamQuery,
    private readonly changes: StreamChangesService,
    private readonly history: DeliveryHistoryQuery,
    private readonly retries: RetryService,
    private readonly replays: ReplayService,
  ) {}

  /** @throws InvalidCursor (400) */
  async list(ctx: RequestContext, request: PageRequest): Promise<Page<ManagedStream>> {
    const { tenantId, id: organizationId } = organizationOf(ctx);
    const page = await this.streams.listPage(ctx, { tenantId, organizationId }, request);
    return { ...page, items: await this.withProgress(ctx, page.items) };
  }

  /** @throws ResourceNotFound (404) */
  async get(ctx: RequestContext, id: string): Promise<ManagedStream> {
    const [managed] = await this.withProgress(ctx, [await this.find(ctx, id)]);
    return managed!;
  }

  /** @throws ResourceNotFound (404) */
  async update(ctx: RequestContext, id: string, change: StreamChange): Promise<ManagedStream> {
    const [managed] = await this.withProgress(ctx, [await this.changes.changeOfAdministrator(ctx, id, change)]);
    return managed!;
  }

  /** @throws ResourceNotFound (404) */
  delete(ctx: RequestContext, id: string): Promise<void> {
    return this.changes.delete(ctx, id);
  }

  /** @throws ResourceNotFound (404), InvalidCursor (400) */
  async listDeliveries(
    ctx: RequestContext,
    id: string,
    request: PageRequest,
    status?: DeliveryStatus,
  ): Promise<Page<DeliveryRow>> {
    return this.history.list(ctx, await this.receiverOf(ctx, id), request, status ? { status } : {});
  }

  /** @throws ResourceNotFound (404) */
  async getDelivery(ctx: RequestContext, id: string, deliveryId: string): Promise<DeliveryRow & { attempts: AttemptRow[] }> {
    const delivery = await this.history.find(ctx, await this.receiverOf(ctx, id), deliveryId);
    if (!delivery) throw new ResourceNotFound('delivery', deliveryId);
    return delivery;
  }

  /** @throws ResourceNotFound (404), DeliveryInProgress, DeliveryNotRepeatable (409) */
  async retryDelivery(ctx: RequestContext, id: string, deliveryId: string): Promise<DeliveryRow> {
    return this.retries.retryOf(ctx, await this.receiverOf(ctx, id), deliveryId);
  }

  /** Returns the number of deliveries. @throws ResourceNotFound (404), InvalidRequest (400), ReplayTooLarge (422) */
  async replayDeliveries(ctx: RequestContext, id: string, input: ReplayInput): Promise<number> {
    return this.replays.replayOf(ctx, await this.receiverOf(ctx, id), input);
  }

  private async withProgress(ctx: RequestContext, streams: readonly SsfStream[]): Promise<ManagedStream[]> {
    const { tenantId } = organizationOf(ctx);
    const ids = streams.map(({ id }) => id);
    const progress = await this.streamQuery.mapProgress(ctx, tenantId, ids);
    return streams.map((stream) => ({ stream, progress: progress.get(stream.id) }));
  }

  private async receiverOf(ctx: RequestContext, id: string): Promise<DeliveryReceiver> {
    const { tenantId } = await this.find(ctx, id);
    return { tenantId, id, enabled: true };
  }

  private async find(ctx: RequestContext, id: string): Promise<SsfStream> {
    const { tenantId, id: organizationId } = organizationOf(ctx);
    const stream = await this.streams.find(ctx, { tenantId, organizationId }, id);
    if (!stream) throw new ResourceNotFound('ssf_stream', id);
    return stream;
  }
}
