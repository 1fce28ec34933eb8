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

const COLUMNS = `id, tenant_id, type, organization_id, parent_organization_id, ancestor_ids, user_id, actor_type, actor_id,
  payload, payload_digest, occurred_at`;

/** Writes events into the outbox, in the transaction of the change. */
@Injectable()
export class OutboxRepository extends BaseRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, event: NewEvent): Promise<void> {
    await this.query(ctx, `INSERT INTO events (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`, [
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
    ]);
  }

  /** Many events of one kind, in one statement, in their order. */
  async insertAll(ctx: RequestContext, [first, ...rest]: readonly NewEvent[]): Promise<void> {
    if (!first) return;
    const rows = [first, ...rest].map(({ id, userId, payload, payloadDigest }) => ({
      id,
      user_id: userId,
      payload,
      digest: payloadDigest.toString('hex'),
    }));
    await this.query(
      ctx,
      `INSERT INTO events (${COLUMNS})
       SELECT r.id, $2, $3, $4, $5, $6::text[], r.user_id, $7, $8, r.payload, decode(r.digest, 'hex'), $9::timestamptz
       FROM json_to_recordset($1::json) AS r (id text, user_id text, payload text, digest text)`,
      [
        JSON.stringify(rows),
        first.tenantId,
        first.type,
        first.organizationId,
        first.parentOrganizationId,
        first.ancestorIds,
        first.actorType,
        first.actorId,
        first.occurredAt,
      ],
    );
  }

  /** Gives a new tenant its stream, in which the relay counts positions. */
  async insertStream(ctx: RequestContext, tenantId: string): Promise<void> {
    await this.query(ctx, 'INSERT INTO event_streams (tenant_id) VALUES ($1)', [tenantId]);
  }
}
