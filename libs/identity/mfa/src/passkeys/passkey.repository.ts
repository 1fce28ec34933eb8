import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

export interface Passkey {
  readonly tenantId: string;
  readonly id: string;
  readonly userId: string;
  /** As the authenticator names it, base64url. */
  readonly credentialId: string;
  /** In COSE form. */
  readonly publicKey: Buffer;
  /** How often it signed; always 0 for those that are kept on several devices. */
  readonly counter: number;
  readonly transports: readonly string[];
  /** Whether it is kept on several devices. */
  readonly backedUp: boolean;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const COLUMNS = `tenant_id AS "tenantId", id, user_id AS "userId", credential_id AS "credentialId", public_key AS "publicKey",
  counter::float8 AS counter, transports, backed_up AS "backedUp", name, created_at AS "createdAt", last_used_at AS "lastUsedAt"`;

/** Public keys of passkeys. */
@Injectable()
export class PasskeyRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** False when the passkey is registered already. */
  async insert(ctx: RequestContext, passkey: Passkey): Promise<boolean> {
    const inserted = await this.execute(
      ctx,
      `INSERT INTO passkeys (tenant_id, id, user_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (tenant_id, credential_id) DO NOTHING`,
      [
        passkey.tenantId,
        passkey.id,
        passkey.userId,
        passkey.credentialId,
        passkey.publicKey,
        passkey.counter,
        passkey.transports,
        passkey.backedUp,
        passkey.name,
        passkey.createdAt,
      ],
    );
    return inserted === 1;
  }

  /** Of a user, oldest first. */
  async list(ctx: RequestContext, { tenantId, id }: UserKey): Promise<Passkey[]> {
    return this.query<Passkey>(ctx, `SELECT ${COLUMNS} FROM passkeys WHERE tenant_id = $1 AND user_id = $2 ORDER BY id`, [
      tenantId,
      id,
    ]);
  }

  async findByCredential(ctx: RequestContext, tenantId: string, credentialId: string): Promise<Passkey | null> {
    const rows = await this.query<Passkey>(ctx, `SELECT ${COLUMNS} FROM passkeys WHERE tenant_id = $1 AND credential_id = $2`, [
      tenantId,
      credentialId,
    ]);
    return rows[0] ?? null;
  }

  /** Notes a use; false when the counter did not grow, or the passkey is gone. Those that don't count stay at 0. */
  async use(ctx: RequestContext, { tenantId, id }: Passkey, counter: number, backedUp: boolean, at: Date): Promise<boolean> {
    const used = await this.execute(
      ctx,
      `UPDATE passkeys SET counter = $3, backed_up = $4, last_used_at = $5
       WHERE tenant_id = $1 AND id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))`,
      [tenantId, id, counter, backedUp, at],
    );
    return used === 1;
  }

  async rename(ctx: RequestContext, { tenantId, id }: UserKey, passkeyId: string, name: string): Promise<Passkey | null> {
    const rows = await this.query<Passkey>(
      ctx,
      `UPDATE passkeys SET name = $4 WHERE tenant_id = $1 AND user_id = $2 AND id = $3 RETURNING ${COLUMNS}`,
      [tenantId, id, passkeyId, name],
    );
    return rows[0] ?? null;
  }

  async remove(ctx: RequestContext, { tenantId, id }: UserKey, passkeyId: string): Promise<boolean> {
    const removed = await this.execute(ctx, 'DELETE FROM passkeys WHERE tenant_id = $1 AND user_id = $2 AND id = $3', [
      tenantId,
      id,
      passkeyId,
    ]);
    return removed === 1;
  }
}
