import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { BaseQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';
import { CHAINED_COLUMNS, CHAINED_ROW } from './chained-row.js';

const TENANT_ROW = row({ tenantId: column.text() });
const CHAIN_END_ROW = row({ chainedPosition: column.digits(), lastChainHash: column.nullable(column.bytes()) });
const UNLINKED_ROW = row({ ...CHAINED_ROW, position: column.digits(), chain_hash: column.nullable(column.bytes()) });

/** The position and hash of a tenant's last linked event. */
export type ChainEnd = RowOf<typeof CHAIN_END_ROW>;
export type UnlinkedEvent = RowOf<typeof UNLINKED_ROW>;

/** Reads and links events that have a position but are not part of the hash chain. */
@Injectable()
export class ChainCatchUpQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Returns the IDs of tenants with unlinked events. */
  async listTenants(ctx: RequestContext, limit: number): Promise<string[]> {
    const rows = await this.query(
      ctx,
      TENANT_ROW,
      `SELECT tenant_id AS "tenantId" FROM event_streams WHERE chained_position < last_position ORDER BY tenant_id LIMIT $1`,
      [limit],
    );
    return rows.map(({ tenantId }) => tenantId);
  }

  /** Locks the stream of a tenant. Returns undefined if all events of the tenant are linked or a relay has locked the stream. */
  async lockStream(ctx: RequestContext, tenantId: string): Promise<ChainEnd | undefined> {
    const [stream] = await this.query(
      ctx,
      CHAIN_END_ROW,
      `SELECT chained_position AS "chainedPosition", last_chain_hash AS "lastChainHash" FROM event_streams
       WHERE tenant_id = $1 AND chained_position < last_position FOR UPDATE SKIP LOCKED`,
      [tenantId],
    );
    return stream;
  }

  listEvents(ctx: RequestContext, tenantId: string, afterPosition: string, limit: number): Promise<UnlinkedEvent[]> {
    return this.query(
      ctx,
      UNLINKED_ROW,
      `SELECT ${CHAINED_COLUMNS}, e.position, e.chain_hash FROM events e WHERE e.tenant_id = $1 AND e.position > $2 ORDER BY e.position LIMIT $3`,
      [tenantId, afterPosition, limit],
    );
  }

  /** Writes chain hashes. `hashes[i]` is the hash of the event `ids[i]`. */
  async writeHashes(ctx: RequestContext, tenantId: string, ids: readonly string[], hashes: readonly Buffer[]): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE events e SET chain_hash = given.hash FROM unnest($2::text[], $3::bytea[]) AS given (id, hash)
       WHERE e.tenant_id = $1 AND e.id = given.id AND e.id = ANY ($2::text[])`,
      [tenantId, ids, hashes],
    );
  }

  /** Moves the end of the chain. Without `position`, the new end is the tenant's last position. */
  async moveEnd(ctx: RequestContext, tenantId: string, position: string | undefined, hash: Buffer): Promise<void> {
    await this.execute(
      ctx,
      `UPDATE event_streams SET chained_position = coalesce($2, last_position), last_chain_hash = $3 WHERE tenant_id = $1`,
      [tenantId, position ?? null, hash],
    );
  }
}
