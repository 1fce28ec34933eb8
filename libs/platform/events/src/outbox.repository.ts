import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
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
  traceparent?: string | undefined;
}

const COLUMNS = `id, tenant_id, type, organization_id, parent_organization_id, ancestor_ids, user_id, actor_type, actor_id,
  payload, payload_digest, occurred_at, traceparent`;

const INSERT = `INSERT INTO events (${COLUMNS}) SELECT ${COLUMNS} FROM json_to_recordset($1::json) AS r (id text, tenant_id text, type text,
  organization_id text, parent_organization_id text, ancestor_ids text[], user_id text, actor_type text, actor_id text,
  payload text, payload_digest bytea, occurred_at timestamptz, traceparent text)`;

/** Writes events into the outbox, in the transaction of the change. */
@Injectable()
export class OutboxRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** In their order, at the latest with the commit. */
  insertAll(ctx: RequestContext, events: readonly NewEvent[]): void {
    this.writeLater(ctx, { sql: INSERT, rows: events.map(rowOf) });
  }

  /** Gives a new tenant its stream, in which the relay counts positions. */
  async insertStream(ctx: RequestContext, tenantId: string): Promise<void> {
    await this.query(ctx, 'INSERT INTO event_streams (tenant_id) VALUES ($1)', [tenantId]);
  }
}

const rowOf = (event: NewEvent) => ({
  id: event.id,
  tenant_id: event.tenantId,
  type: event.type,
  organization_id: event.organizationId,
  parent_organization_id: event.parentOrganizationId,
  ancestor_ids: event.ancestorIds,
  user_id: event.userId,
  actor_type: event.actorType,
  actor_id: event.actorId,
  payload: event.payload,
  payload_digest: `\\x${event.payloadDigest.toString('hex')}`,
  occurred_at: event.occurredAt,
  traceparent: event.traceparent,
});
