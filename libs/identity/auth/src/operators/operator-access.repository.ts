import { Injectable } from '@nestjs/common';
import type { OperatorSession, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** Whether the service made a link by itself, or somebody asked for it. */
export type LinkOrigin = 'first_start' | 'request';

/** Rows of the links that operators come by, and of their sessions; hashes of tokens alone. */
@Injectable()
export class OperatorAccessRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** When the first start made its first link; null when none ever did. */
  async firstStart(ctx: RequestContext): Promise<Date | null> {
    const rows = await this.query<{ at: Date | null }>(
      ctx,
      "SELECT min(created_at) AS at FROM operator_links WHERE origin = 'first_start'",
    );
    return rows[0]?.at ?? null;
  }

  async insertLink(ctx: RequestContext, tokenHash: Buffer, origin: LinkOrigin, now: Date, expiresAt: Date): Promise<void> {
    await this.query(ctx, 'INSERT INTO operator_links (token_hash, origin, created_at, expires_at) VALUES ($1, $2, $3, $4)', [
      tokenHash,
      origin,
      now,
      expiresAt,
    ]);
  }

  /** Uses a link up in one statement: of several that bring the same one, one gets it. False when it is unknown, used or expired. */
  async useLink(ctx: RequestContext, tokenHash: Buffer, now: Date): Promise<boolean> {
    const used = await this.execute(
      ctx,
      'UPDATE operator_links SET used_at = $2 WHERE token_hash = $1 AND used_at IS NULL AND expires_at > $2',
      [tokenHash, now],
    );
    return used === 1;
  }

  async insertSession(ctx: RequestContext, { id, expiresAt }: OperatorSession, tokenHash: Buffer, now: Date): Promise<void> {
    await this.query(
      ctx,
      'INSERT INTO operator_sessions (id, token_hash, created_at, last_seen_at, expires_at) VALUES ($1, $2, $3, $3, $4)',
      [id, tokenHash, now, expiresAt],
    );
  }

  /** The session of a token, neither at its end nor, since `seenSince`, without use; notes that it is in use. */
  async useSession(ctx: RequestContext, tokenHash: Buffer, now: Date, seenSince: Date): Promise<OperatorSession | null> {
    const rows = await this.query<OperatorSession>(
      ctx,
      `UPDATE operator_sessions SET last_seen_at = $2 WHERE token_hash = $1 AND expires_at > $2 AND last_seen_at > $3
       RETURNING id, expires_at AS "expiresAt"`,
      [tokenHash, now, seenSince],
    );
    return rows[0] ?? null;
  }

  async removeSession(ctx: RequestContext, id: string): Promise<void> {
    await this.execute(ctx, 'DELETE FROM operator_sessions WHERE id = $1', [id]);
  }

  /** Removes what is over, but for what tells when the first start was. */
  async removeExpired(ctx: RequestContext, now: Date): Promise<void> {
    await this.execute(ctx, "DELETE FROM operator_links WHERE expires_at <= $1 AND origin <> 'first_start'", [now]);
    await this.execute(ctx, 'DELETE FROM operator_sessions WHERE expires_at <= $1', [now]);
  }
}
