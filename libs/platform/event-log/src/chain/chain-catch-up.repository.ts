import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import { CHAIN_START, CHAINED_COLUMNS, chainHash, type ChainedRow } from './chain-hash.js';

/** Links events that were numbered without: those of a release that knew no chain. */
@Injectable()
export class ChainCatchUpRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** Tenants with numbered events that the chain does not reach yet. */
  async tenantsBehind(ctx: RequestContext, limit: number): Promise<string[]> {
    const rows = await this.query<{ tenant_id: string }>(
      ctx,
      'SELECT tenant_id FROM event_streams WHERE chained_position < last_position ORDER BY tenant_id LIMIT $1',
      [limit],
    );
    return rows.map((row) => row.tenant_id);
  }

  /** Links a tenant's next events, in a transaction that holds the stream; false when nothing is left to do, or a relay has the stream. */
  async linkNext(ctx: RequestContext, tenantId: string, limit: number): Promise<boolean> {
    const [stream] = await this.query<{ chained_position: string; last_chain_hash: Buffer | null }>(
      ctx,
      `SELECT chained_position, last_chain_hash FROM event_streams
       WHERE tenant_id = $1 AND chained_position < last_position FOR UPDATE SKIP LOCKED`,
      [tenantId],
    );
    if (!stream) return false;
    const events = await this.query<ChainedRow & { position: string; chain_hash: Buffer | null }>(
      ctx,
      `SELECT ${CHAINED_COLUMNS}, e.position, e.chain_hash FROM events e WHERE e.tenant_id = $1 AND e.position > $2 ORDER BY e.position LIMIT $3`,
      [tenantId, stream.chained_position, limit],
    );
    let hash = stream.last_chain_hash ?? CHAIN_START;
    // A link that stands is never made anew: if it is wrong, a verification is to find it.
    const hashes = events.map((event) => (hash = event.chain_hash ?? chainHash(hash, tenantId, BigInt(event.position), event)));
    await this.query(
      ctx,
      `UPDATE events e SET chain_hash = given.hash FROM unnest($2::text[], $3::bytea[]) AS given (id, hash)
       WHERE e.tenant_id = $1 AND e.id = given.id AND e.id = ANY ($2::text[])`,
      [tenantId, events.map(({ id }) => id), hashes],
    );
    // Where the rest was removed from the table, there is nothing to link; that it is missing, a verification finds.
    await this.query(
      ctx,
      `UPDATE event_streams SET chained_position = coalesce($2, last_position), last_chain_hash = $3 WHERE tenant_id = $1`,
      [tenantId, events.at(-1)?.position ?? null, hash],
    );
    return events.length === limit;
  }
}
