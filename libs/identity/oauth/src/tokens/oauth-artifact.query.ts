import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { hashToken } from '#platform/crypto';
import { BaseQuery, CleanupQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

export type ArtifactKind =
  | 'AuthorizationCode'
  | 'RefreshToken'
  | 'AccessToken'
  | 'ClientCredentials'
  | 'DeviceCode'
  | 'UserCode'
  | 'Interaction'
  | 'PushedAuthorizationRequest'
  | 'ReplayDetection';

export interface NewArtifact {
  readonly kind: ArtifactKind;
  readonly id: string;
  readonly tenantId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** The sign-in at the client that the code or token belongs to. */
  readonly signInId: string | null;
  readonly expiresAt: Date;
}

const ARTIFACT_ROW = row({
  payload: column.json<Record<string, unknown>>(),
  consumedAt: column.nullable(column.timestamp()),
});

export type StoredArtifact = RowOf<typeof ARTIFACT_ROW>;

const HASH_ROW = row({ idHash: column.bytes() });

/** Stores codes, tokens and authorization requests. Their values are stored only as hashes. */
@Injectable()
export class OAuthArtifactQuery extends BaseQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  find(ctx: RequestContext, kind: ArtifactKind, id: string, now: Date): Promise<StoredArtifact | undefined> {
    return this.findOne(ctx, 'id_hash = $1 AND expires_at > $2 AND kind = $3', [hashToken(id), now, kind]);
  }

  /** Finds an artifact of any kind by the hash of its id. */
  findByHash(ctx: RequestContext, hash: Buffer, now: Date): Promise<StoredArtifact | undefined> {
    return this.findOne(ctx, 'id_hash = $1 AND expires_at > $2', [hash, now]);
  }

  /** Inserts an artifact. An interaction can be stored again; everything else has a new id. @throws QueryFailedError (oauth_artifacts_pkey) */
  async insert(ctx: RequestContext, { kind, id, tenantId, payload, signInId, expiresAt }: NewArtifact): Promise<void> {
    const onConflict = kind === 'Interaction' ? 'ON CONFLICT (id_hash) DO UPDATE SET payload = excluded.payload' : '';
    await this.execute(
      ctx,
      `INSERT INTO oauth_artifacts (id_hash, tenant_id, kind, payload, sign_in_id, expires_at) VALUES ($1, $2, $3, $4, $5, $6) ${onConflict}`,
      [hashToken(id), tenantId, kind, JSON.stringify(payload), signInId, expiresAt],
      { prepared: true },
    );
  }

  /** Marks a code or token as used. Returns false if another request was first. */
  async consume(ctx: RequestContext, id: string, now: Date): Promise<boolean> {
    const sql =
      'UPDATE oauth_artifacts SET consumed_at = $2 WHERE id_hash = $1 AND consumed_at IS NULL RETURNING id_hash AS "idHash"';
    return (await this.query(ctx, HASH_ROW, sql, [hashToken(id), now], { prepared: true })).length === 1;
  }

  async delete(ctx: RequestContext, id: string): Promise<void> {
    await this.execute(ctx, 'DELETE FROM oauth_artifacts WHERE id_hash = $1', [hashToken(id)]);
  }

  /**
   * Deletes all codes and tokens of a sign-in. A statement does not see the tokens of a request that it waited for, so it is repeated until
   * nothing is left.
   */
  async deleteOfSignIn(ctx: RequestContext, signInId: string): Promise<void> {
    const sql = 'DELETE FROM oauth_artifacts WHERE sign_in_id = $1';
    while ((await this.execute(ctx, sql, [signInId])) > 0);
  }

  private async findOne(ctx: RequestContext, where: string, values: unknown[]): Promise<StoredArtifact | undefined> {
    const sql = `SELECT payload, consumed_at AS "consumedAt" FROM oauth_artifacts WHERE ${where}`;
    return (await this.query(ctx, ARTIFACT_ROW, sql, values, { prepared: true, connection: 'shared' }))[0];
  }
}

/** Deletes expired codes, tokens and authorization requests. */
@Injectable()
export class ExpiredArtifactQuery extends CleanupQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  deleteExpired(ctx: RequestContext, now: Date, limit: number): Promise<number> {
    return this.deleteBatch(ctx, { table: 'oauth_artifacts', key: 'id_hash', where: 'expires_at <= $1' }, [now], limit);
  }
}
