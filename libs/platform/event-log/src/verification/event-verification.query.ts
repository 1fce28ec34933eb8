import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { CHAINED_COLUMNS, CHAINED_ROW } from '../chain/chained-row.js';
import { conditionsOf, type LogOrganization } from '../reading/event-filter.js';

const LOWEST_BIGINT = '-9223372036854775808';
/** The columns of the events of tenant $1. */
const COLUMNS = `${CHAINED_COLUMNS}, e.position, e.payload, e.chain_hash, e.redacted_at, e.envelope_digest, e.data_digest,
  CASE WHEN e.redacted_at IS NULL THEN true
    ELSE EXISTS (SELECT FROM event_redactions r WHERE r.tenant_id = $1 AND r.user_id IN (e.user_id, e.actor_id)) END AS redaction_recorded`;

const EVENT_ROW = row({
  ...CHAINED_ROW,
  position: column.digits(),
  payload: column.text(),
  chain_hash: column.nullable(column.bytes()),
  redacted_at: column.nullable(column.timestamp()),
  envelope_digest: column.nullable(column.bytes()),
  data_digest: column.nullable(column.bytes()),
  redaction_recorded: column.boolean(),
});
const RANGE_ROW = row({ lowest: column.nullable(column.digits()), highest: column.nullable(column.digits()) });

/** An event with a position. `redaction_recorded` is false if the event is redacted without a redaction request. */
export type PositionedRow = RowOf<typeof EVENT_ROW>;

/** Identifies an event in the order of the log. */
export type LogCursor = Pick<PositionedRow, 'position' | 'id'>;

@Injectable()
export class EventVerificationQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Makes all statements of the transaction read the same snapshot, despite concurrent changes by relays and retention. Must be the
   * first statement of the transaction.
   */
  async useOneSnapshot(ctx: RequestContext): Promise<void> {
    await this.execute(ctx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  }

  /** Returns events after a cursor, up to a position. Includes several events with the same position. */
  listEvents(
    ctx: RequestContext,
    tenantId: string,
    after: LogCursor | undefined,
    toPosition: bigint,
    limit: number,
  ): Promise<PositionedRow[]> {
    return this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${COLUMNS} FROM events e
       WHERE e.tenant_id = $1 AND e.position >= $2 AND (e.position, e.id) > ($2::bigint, $3) AND e.position <= $4
       ORDER BY e.position, e.id LIMIT $5`,
      [tenantId, after?.position ?? LOWEST_BIGINT, after?.id ?? '', toPosition.toString(), limit],
    );
  }

  /** Returns the first event after the last position of the tenant. Such an event was not positioned by a relay. */
  async findBeyond(ctx: RequestContext, tenantId: string, lastPosition: bigint): Promise<PositionedRow | undefined> {
    const [event] = await this.query(
      ctx,
      EVENT_ROW,
      `SELECT ${COLUMNS} FROM events e WHERE e.tenant_id = $1 AND e.position > $2 ORDER BY e.position LIMIT 1`,
      [tenantId, lastPosition.toString()],
    );
    return event;
  }

  /** Returns the lowest and the highest position of a tenant's events of a period, or null if there are no events. */
  async findRange(
    ctx: RequestContext,
    tenantId: string,
    period: { since?: Date; until?: Date },
  ): Promise<[lowest: bigint, highest: bigint] | null> {
    const wholeTenant: LogOrganization = { id: tenantId, tenantId, ancestorIds: [] };
    const { where, parameters } = conditionsOf(wholeTenant, { ...period, includeDescendants: true });
    const [range] = await this.query(
      ctx,
      RANGE_ROW,
      `SELECT min(e.position) AS lowest, max(e.position) AS highest FROM events e WHERE ${where}`,
      parameters,
    );
    return range?.lowest && range.highest ? [BigInt(range.lowest), BigInt(range.highest)] : null;
  }
}
