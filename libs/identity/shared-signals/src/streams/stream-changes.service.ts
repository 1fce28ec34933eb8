import { Injectable } from '@nestjs/common';
import { changesBetween, organizationOf, type RequestContext, ResourceNotFound } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { StreamDeliveriesService } from './stream-deliveries.service.js';
import { ssfStreamData } from './ssf-stream-data.js';
import { SsfStream, type StreamStatus, type SubjectFormat } from './ssf-stream.entity.js';
import { SsfStreamRepository, type Streams } from './ssf-stream.repository.js';
import type { ReceiverRequest } from './stream-owners.service.js';

/** What receivers and administrators change besides the configuration. */
export interface StreamChange {
  readonly status?: StreamStatus | undefined;
  readonly reason?: string | null | undefined;
  readonly subjectFormat?: SubjectFormat | undefined;
}

/** Enables, pauses, disables and deletes streams. */
@Injectable()
export class StreamChangesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly streams: SsfStreamRepository,
    private readonly deliveries: StreamDeliveriesService,
  ) {}

  /** @throws ResourceNotFound (404) */
  changeOfReceiver({ ctx, owner }: ReceiverRequest, id: string, change: StreamChange): Promise<SsfStream> {
    return this.change(ctx, owner, id, change, 'receiver');
  }

  /** The receiver gets an event if the status changes. @throws ResourceNotFound (404) */
  changeOfAdministrator(ctx: RequestContext, id: string, change: StreamChange): Promise<SsfStream> {
    return this.change(ctx, homeOf(ctx), id, change, 'administrator');
  }

  /** Deletes a stream of the organization in the context, or of a receiver. @throws ResourceNotFound (404) */
  async delete(ctx: RequestContext, id: string, of: Streams = homeOf(ctx)): Promise<void> {
    await this.work.run(ctx, async (ctx) => {
      const stream = await this.lock(ctx, of, id);
      await this.streams.delete(ctx, stream);
      await this.deliveries.skip(ctx, stream);
      await this.work.publish(ctx, 'ssf_stream.deleted', organizationOf(ctx), ssfStreamData(stream));
    });
  }

  private async change(
    ctx: RequestContext,
    of: Streams,
    id: string,
    change: StreamChange,
    changedBy: 'receiver' | 'administrator',
  ): Promise<SsfStream> {
    return this.work.run(ctx, async (ctx) => {
      const stream = await this.lock(ctx, of, id);
      const before = Object.assign(new SsfStream(), stream);
      apply(stream, change);
      const changes = changesBetween(ssfStreamData(before), ssfStreamData(stream));
      if (Object.keys(changes).length === 0) return stream;
      stream.updatedAt = this.work.now();
      await this.streams.update(ctx, stream);
      if (stream.status !== before.status) await this.adaptDeliveries(ctx, stream);
      const data = { ...ssfStreamData(stream), changedBy, changes };
      await this.work.publish(ctx, 'ssf_stream.updated', organizationOf(ctx), data);
      return stream;
    });
  }

  private async adaptDeliveries(ctx: RequestContext, stream: SsfStream): Promise<void> {
    if (stream.status === 'disabled') await this.deliveries.skip(ctx, stream);
    if (stream.status === 'enabled') await this.deliveries.restart(ctx, stream);
  }

  private async lock(ctx: RequestContext, of: Streams, id: string): Promise<SsfStream> {
    const stream = await this.streams.lock(ctx, of, id);
    if (!stream) throw new ResourceNotFound('ssf_stream', id);
    return stream;
  }
}

function homeOf(ctx: RequestContext): { tenantId: string; organizationId: string } {
  const { tenantId, id: organizationId } = organizationOf(ctx);
  return { tenantId, organizationId };
}

/** A reason is about one status, so that a new status without a reason has none. */
function apply(stream: SsfStream, { status = stream.status, reason, subjectFormat = stream.subjectFormat }: StreamChange): void {
  const keptReason = status === stream.status ? stream.statusReason : null;
  Object.assign(stream, { status, subjectFormat, statusReason: reason === undefined ? keptReason : reason });
}
