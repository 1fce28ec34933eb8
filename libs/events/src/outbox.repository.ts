import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#common';
import { BaseRepository } from '#database';
import { DataSource } from 'typeorm';

/** An event about to be written. */
export interface NewEvent {
  id: string;
  tenantId: string;
  type: string;
  organizationId: string;
  parentOrganizationId: string | null;
  ancestorIds: readonly string[];
  userId: string | null;
  actorType: string;
  actorId: string | null;
  payload: string;
  payloadDigest: Buffer;
  occurredAt: Date;
}

/** Writes events into the outbox, in the transaction of the change. */
@Injectable()
export class OutboxRepository extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, event: NewEvent): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO events (id, tenant_id, type, organization_id, parent_organization_id, ancestor_ids, user_id, actor_type, actor_id,
         payload, payload_digest, occurred_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [
        event.id,
        event.tenantId,
        event.type,
        event.organizationId,
        event.parentOrganizationId,
        event.ancestorIds,
        event.userId,
        event.actorType,
        event.actorId,
        event.payload,
        event.payloadDigest,
        event.occurredAt,
      ],
    );
  }

  /** Gives a new tenant its stream, in which the relay counts positions. */
  async insertStream(ctx: RequestContext, tenantId: string): Promise<void> {
    await this.query(ctx, 'INSERT INTO event_streams (tenant_id) VALUES ($1)', [tenantId]);
  }
}
