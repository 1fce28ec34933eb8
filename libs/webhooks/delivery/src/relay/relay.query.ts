import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { anyOf, BaseQuery, column, row, type RowOf } from '#platform/database';
import { CHAINED_COLUMNS, CHAINED_ROW, type ChainedRow } from '#platform/event-log';
import type { EventType } from '#platform/events';
import type { PayloadFilter } from '#webhooks/webhooks';
import { DataSource } from 'typeorm';
import type { Lease } from '../ledger/delivery-ledger.js';
import { type SealedWebhook, sealedWebhookColumns } from '../ledger/delivery-target.js';
import type { CandidateWebhook, RelayedEvent } from './webhook-matching.js';

/** A delivery to insert. */
export interface NewDelivery {
  eventId: string;
  eventType: string;
  id: string;
  webhookId: string;
  organizationId: string;
  /** A `held` delivery waits until its webhook is enabled. A `leased` delivery is due and started immediately by this process. */
  state: 'due' | 'leased' | 'held' | 'skipped';
}

/** The last position of a tenant's events, and the last position in the hash chain with its hash. */
export interface EventStream {
  readonly lastPosition: bigint;
  readonly chainedPosition: bigint;
  readonly lastChainHash: Buffer | null;
}

export interface UnpositionedEvent extends RelayedEvent {
  readonly ageMs: number;
  /** The trace context of the request that published the event, or null if tracing was disabled. */
  readonly traceparent: string | null;
  readonly chained: ChainedRow;
}

/** A webhook that can receive events. */
export interface SubscribedWebhook extends CandidateWebhook {
  /** The row with the encrypted secrets, for `webhookTarget`. */
  readonly encryptedRow: SealedWebhook;
}

/** The oldest events of a tenant without a position, and the webhooks of their organizations and of all ancestor organizations. */
export interface EventBatch {
  readonly events: readonly UnpositionedEvent[];
  readonly webhooks: readonly SubscribedWebhook[];
}

/** Maximum number of rows of a prepared write. Small writes save the planning; large writes need a plan for their size. */
const PREPARED_MAX = 20;

const TENANT = row({ tenant_id: column.text(), events: column.integer() });
const STREAM = row({
  last_position: column.digits(),
  chained_position: column.digits(),
  last_chain_hash: column.nullable(column.bytes()),
});
const WAITING_EVENT = row({
  ...CHAINED_ROW,
  type: column.text<EventType>(),
  age_ms: column.float(),
  traceparent: column.nullable(column.text()),
  payload: column.text(),
  /** Only in the first row. */
  webhooks: column.nullable(column.json<WebhookRow[]>()),
});

interface WebhookRow extends SealedWebhook {
  readonly organization_id: string;
  readonly events: string[];
  readonly include_descendants: boolean;
  readonly filter: PayloadFilter | null;
  readonly created_seq: string;
  readonly deleted_seq: string | null;
  readonly organization_deleted_seq: string | null;
}

const INSERTED = row({
  ids: column.nullable(column.arrayOf(column.text())),
  sequences: column.nullable(column.arrayOf(column.text())),
  now_ms: column.float(),
});

/** Statements of the relay for the outbox, the event streams and the deliveries. The relay runs one transaction per tenant and batch. */
@Injectable()
export class RelayQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Returns the IDs of tenants that have events without a position, in order, after `afterTenantId`. Reads at most `limit` index entries, so
   * that a long backlog of one tenant costs nothing more. `isComplete` is false if more tenants can follow.
   */
  async tenantsWithEvents(
    ctx: RequestContext,
    afterTenantId: string,
    limit: number,
  ): Promise<{ tenantIds: string[]; isComplete: boolean }> {
    const rows = await this.query(
      ctx,
      TENANT,
      `SELECT tenant_id, count(*)::int AS events FROM (
         SELECT tenant_id FROM events WHERE position IS NULL AND tenant_id > $1 ORDER BY tenant_id LIMIT $2
       ) waiting GROUP BY tenant_id ORDER BY tenant_id`,
      [afterTenantId, limit],
    );
    const read = rows.reduce((sum, { events }) => sum + events, 0);
    return { tenantIds: rows.map((row) => row.tenant_id), isComplete: read < limit };
  }

  /** Locks the stream of a tenant and returns the stream, or null if another relay has locked it. */
  async lockStream(ctx: RequestContext, tenantId: string): Promise<EventStream | null> {
    const [stream] = await this.query(
      ctx,
      STREAM,
      'SELECT last_position, chained_position, last_chain_hash FROM event_streams WHERE tenant_id = $1 FOR UPDATE SKIP LOCKED',
      [tenantId],
      { prepared: true },
    );
    if (!stream) return null;
    return {
      lastPosition: BigInt(stream.last_position),
      chainedPosition: BigInt(stream.chained_position),
      lastChainHash: stream.last_chain_hash,
    };
  }

  /** Reads events and webhooks in one statement, so that every event of the batch meets the webhooks of its organizations. */
  async nextBatch(ctx: RequestContext, tenantId: string, limit: number): Promise<EventBatch> {
    const rows = await this.query(ctx, WAITING_EVENT, NEXT_BATCH, [tenantId, limit], { prepared: true });
    return { events: rows.map(eventOf), webhooks: (rows[0]?.webhooks ?? []).map(webhookOf) };
  }

  /** Assigns the next positions of the stream and the chain hashes to events, in the order of the events. */
  async assignPositions(
    ctx: RequestContext,
    tenantId: string,
    events: readonly UnpositionedEvent[],
    { lastPosition }: EventStream,
    chainHashes?: readonly Buffer[],
  ): Promise<void> {
    const ids = events.map(({ id }) => id);
    const position = (lastPosition + BigInt(ids.length)).toString();
    const chained = chainHashes ? ', chained_position = $5, last_chain_hash = $6' : '';
    await this.execute(
      ctx,
      `WITH numbered AS (
         UPDATE events e SET position = $3::bigint + given.number, chain_hash = given.hash
         FROM unnest((SELECT $2::text[]), (SELECT $4::bytea[])) WITH ORDINALITY AS given (id, hash, number)
         WHERE e.tenant_id = $1 AND e.id = given.id AND e.id ${anyOf('$2')}
       )
       UPDATE event_streams SET last_position = $5::bigint${chained} WHERE tenant_id = $1`,
      [
        tenantId,
        ids,
        lastPosition.toString(),
        chainHashes ?? ids.map(() => null),
        position,
        ...(chainHashes ? [chainHashes.at(-1)] : []),
      ],
      { prepared: ids.length <= PREPARED_MAX },
    );
  }

  /**
   * Inserts deliveries in order, each with the next sequence number of its webhook. Returns the sequence numbers of the leased deliveries by
   * ID, and the time of the database, in milliseconds since 1970.
   */
  async insertDeliveries(
    ctx: RequestContext,
    tenantId: string,
    deliveries: readonly NewDelivery[],
    lease?: Lease,
  ): Promise<{ leased: Map<string, string>; nowMs: number }> {
    const valuesOf = <K extends keyof NewDelivery>(name: K) => deliveries.map((delivery) => delivery[name]);
    const [inserted] = await this.query(
      ctx,
      INSERTED,
      INSERT_DELIVERIES,
      [
        tenantId,
        valuesOf('eventId'),
        valuesOf('eventType'),
        valuesOf('id'),
        valuesOf('webhookId'),
        valuesOf('organizationId'),
        valuesOf('state'),
        lease?.owner ?? null,
        lease?.ms ?? 0,
      ],
      { prepared: deliveries.length <= PREPARED_MAX },
    );
    const { ids, sequences, now_ms: nowMs } = inserted ?? { ids: null, sequences: null, now_ms: 0 };
    return { leased: new Map(ids?.map((id, index) => [id, sequences?.[index] ?? ''])), nowMs };
  }
}

/** `ANY (ARRAY(…))` makes the planner use the index of organizations for any number of events. */
const NEXT_BATCH = `
WITH batch AS MATERIALIZED (
  SELECT ${CHAINED_COLUMNS}, extract(epoch FROM clock_timestamp() - e.created_at)::float8 * 1000 AS age_ms, e.traceparent, e.payload
  FROM events e WHERE e.tenant_id = $1 AND e.position IS NULL ORDER BY e.seq LIMIT $2
), candidates AS (
  SELECT ${sealedWebhookColumns('$1')}, w.organization_id, w.events, w.include_descendants, w.filter, w.created_seq::text, w.deleted_seq::text,
    o.deleted_seq::text AS organization_deleted_seq
  FROM webhooks w JOIN organizations o ON o.tenant_id = w.tenant_id AND o.id = w.organization_id
  WHERE w.tenant_id = $1 AND w.organization_id = ANY (ARRAY(SELECT DISTINCT unnest(organization_id || ancestor_ids) FROM batch))
    AND (w.deleted_seq IS NULL OR w.deleted_seq > (SELECT min(seq) FROM batch))
)
SELECT batch.*, CASE WHEN row_number() OVER (ORDER BY seq) = 1 THEN (SELECT json_agg(c) FROM candidates c) END AS webhooks
FROM batch ORDER BY seq`;

/** Inserts deliveries. Assigns their numbers in the order of the webhooks' IDs, so that relays can't deadlock. */
const INSERT_DELIVERIES = `
WITH given AS (
  SELECT d.*, row_number() OVER (PARTITION BY d.webhook_id ORDER BY d.place) AS number, count(*) OVER (PARTITION BY d.webhook_id) AS amount
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[]) WITH ORDINALITY
    AS d (event_id, event_type, id, webhook_id, organization_id, state, place)
), taken AS (
  INSERT INTO webhook_sequences AS s (tenant_id, webhook_id, last_sequence)
  SELECT DISTINCT $1, webhook_id, amount FROM given ORDER BY webhook_id
  ON CONFLICT (tenant_id, webhook_id) DO UPDATE SET last_sequence = s.last_sequence + EXCLUDED.last_sequence
  RETURNING webhook_id, last_sequence
), written AS (
  INSERT INTO deliveries (tenant_id, event_id, event_type, id, webhook_id, organization_id, sequence, status, next_attempt_at,
    created_at, completed_at, lease_owner, lease_until)
  SELECT $1, event_id, event_type, id, webhook_id, organization_id, last_sequence - amount + number,
    CASE WHEN state = 'skipped' THEN 'skipped' ELSE 'pending' END, CASE WHEN state IN ('due', 'leased') THEN now() END,
    now(), CASE WHEN state = 'skipped' THEN now() END,
    CASE WHEN state = 'leased' THEN $8 END, CASE WHEN state = 'leased' THEN clock_timestamp() + $9 * interval '1 ms' END
  FROM given JOIN taken USING (webhook_id) ORDER BY place
  ON CONFLICT (tenant_id, event_id, webhook_id) DO NOTHING RETURNING id, sequence, lease_owner
)
SELECT array_agg(id ORDER BY id) FILTER (WHERE lease_owner IS NOT NULL) AS ids,
  array_agg(sequence::text ORDER BY id) FILTER (WHERE lease_owner IS NOT NULL) AS sequences,
  extract(epoch FROM clock_timestamp())::float8 * 1000 AS now_ms
FROM written`;

function eventOf(row: RowOf<typeof WAITING_EVENT>): UnpositionedEvent {
  return {
    id: row.id,
    seq: BigInt(row.seq),
    type: row.type,
    organizationId: row.organization_id,
    parentOrganizationId: row.parent_organization_id,
    ancestorIds: row.ancestor_ids,
    payload: row.payload,
    ageMs: row.age_ms,
    traceparent: row.traceparent,
    chained: row,
  };
}

function webhookOf(row: WebhookRow): SubscribedWebhook {
  return {
    id: row.id,
    organizationId: row.organization_id,
    events: row.events,
    includeDescendants: row.include_descendants,
    filter: row.filter,
    createdSeq: BigInt(row.created_seq),
    deletedSeq: row.deleted_seq === null ? null : BigInt(row.deleted_seq),
    organizationDeletedSeq: row.organization_deleted_seq === null ? null : BigInt(row.organization_deleted_seq),
    encryptedRow: row,
  };
}
