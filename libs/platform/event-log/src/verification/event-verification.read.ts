import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import { CHAINED_COLUMNS } from '../chain/chain-hash.js';
import { conditionsOf, type LogPlace } from '../reading/event-filter.js';
import type { Anchor, NumberedRow } from './chain-check.js';

/** Where a tenant's stream stands. */
export interface StreamState {
  readonly lastPosition: bigint;
  readonly chainedPosition: bigint;
  readonly lastChainHash: Buffer | null;
}

export interface DatedAnchor extends Anchor {
  readonly droppedAt: Date;
}

const LOWEST = '-9223372036854775808';
const COLUMNS = `${CHAINED_COLUMNS}, e.position, e.payload, e.chain_hash, e.redacted_at, e.envelope_digest, e.data_digest,
  CASE WHEN e.redacted_at IS NULL THEN true
    ELSE EXISTS (SELECT FROM event_redactions r WHERE r.user_id IN (e.user_id, e.actor_id)) END AS redaction_recorded`;

/** Reads what a verification needs, all of it as of one moment: relays go on numbering, and retention removing, meanwhile. */
@Injectable()
export class EventVerificationRead extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** To be called first in the transaction of a verification. */
  async holdMoment(ctx: RequestContext): Promise<void> {
    await this.query(ctx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
  }

  async streamState(ctx: RequestContext, tenantId: string): Promise<StreamState> {
    const [row] = await this.query<{ last_position: string; chained_position: string; last_chain_hash: Buffer | null }>(
      ctx,
      'SELECT last_position, chained_position, last_chain_hash FROM event_streams WHERE tenant_id = $1',
      [tenantId],
    );
    return {
      lastPosition: BigInt(row?.last_position ?? 0),
      chainedPosition: BigInt(row?.chained_position ?? 0),
      lastChainHash: row?.last_chain_hash ?? null,
    };
  }

  async anchors(ctx: RequestContext, tenantId: string): Promise<DatedAnchor[]> {
    const rows = await this.query<{ from_position: string; to_position: string; chain_hash: Buffer; dropped_at: Date }>(
      ctx,
      'SELECT from_position, to_position, chain_hash, dropped_at FROM event_anchors WHERE tenant_id = $1 ORDER BY from_position',
      [tenantId],
    );
    return rows.map((row) => ({
      fromPosition: BigInt(row.from_position),
      toPosition: BigInt(row.to_position),
      chainHash: row.chain_hash,
      droppedAt: row.dropped_at,
    }));
  }

  /** The next rows in the order of positions, up to one, with all that claim the same position. */
  numberedRows(
    ctx: RequestContext,
    tenantId: string,
    after: Pick<NumberedRow, 'position' | 'id'> | undefined,
    toPosition: bigint,
    limit: number,
  ): Promise<NumberedRow[]> {
    return this.query(
      ctx,
      `SELECT ${COLUMNS} FROM events e
       WHERE e.tenant_id = $1 AND e.position >= $2 AND (e.position, e.id) > ($2::bigint, $3) AND e.position <= $4
       ORDER BY e.position, e.id LIMIT $5`,
      [tenantId, after?.position ?? LOWEST, after?.id ?? '', toPosition.toString(), limit],
    );
  }

  /** An event behind the last position given: nobody numbered it. */
  async beyond(ctx: RequestContext, tenantId: string, lastPosition: bigint): Promise<NumberedRow | undefined> {
    const [row] = await this.query<NumberedRow>(
      ctx,
      `SELECT ${COLUMNS} FROM events e WHERE e.tenant_id = $1 AND e.position > $2 ORDER BY e.position LIMIT 1`,
      [tenantId, lastPosition.toString()],
    );
    return row;
  }

  /** The lowest and the highest position of a tenant's events that occurred in a span of time; null when there are none. */
  async positionsWithin(
    ctx: RequestContext,
    tenantId: string,
    span: { since?: Date; until?: Date },
  ): Promise<[bigint, bigint] | null> {
    const wholeTenant: LogPlace = { id: tenantId, tenantId, ancestorIds: [] };
    const { where, parameters } = conditionsOf(wholeTenant, { ...span, includeDescendants: true });
    const [row] = await this.query<{ lowest: string | null; highest: string | null }>(
      ctx,
      `SELECT min(e.position) AS lowest, max(e.position) AS highest FROM events e WHERE ${where}`,
      parameters,
    );
    return row?.lowest && row.highest ? [BigInt(row.lowest), BigInt(row.highest)] : null;
  }
}
