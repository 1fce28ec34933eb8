import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

/** A sign-in that waits for the provider's answer. */
export interface OidcSignInRow {
  readonly stateHash: Buffer;
  readonly tenantId: string;
  readonly organizationId: string;
  readonly identityProviderId: string;
  /** Of the token that only the browser or program has that began. */
  readonly bindingHash: Buffer;
  readonly checksSealed: string;
  readonly expiresAt: Date;
}

/** Sign-ins under way; hashes and sealed texts alone. */
@Injectable()
export class OidcSignInRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, row: OidcSignInRow): Promise<void> {
    await this.query(
      ctx,
      `INSERT INTO oidc_sign_ins (state_hash, tenant_id, organization_id, identity_provider_id, binding_hash, checks_sealed, expires_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [row.stateHash, row.tenantId, row.organizationId, row.identityProviderId, row.bindingHash, row.checksSealed, row.expiresAt],
    );
  }

  /** Uses a sign-in up in one statement: of several that bring the same state, one gets it. Null when there is none, or not theirs. */
  async take(ctx: RequestContext, stateHash: Buffer, bindingHash: Buffer, now: Date): Promise<OidcSignInRow | null> {
    const [row] = await this.query<OidcSignInRow>(
      ctx,
      `DELETE FROM oidc_sign_ins WHERE state_hash = $1 AND binding_hash = $2 AND expires_at > $3
       RETURNING state_hash AS "stateHash", tenant_id AS "tenantId", organization_id AS "organizationId",
         identity_provider_id AS "identityProviderId", binding_hash AS "bindingHash", checks_sealed AS "checksSealed",
         expires_at AS "expiresAt"`,
      [stateHash, bindingHash, now],
    );
    return row ?? null;
  }

  /** Removes at most `limit` sign-ins that nobody came back from; gives how many. */
  async removeExpired(ctx: RequestContext, now: Date, limit: number): Promise<number> {
    return this.execute(
      ctx,
      `DELETE FROM oidc_sign_ins WHERE ctid IN
         (SELECT ctid FROM oidc_sign_ins WHERE expires_at <= $1 LIMIT $2 FOR UPDATE SKIP LOCKED)`,
      [now, limit],
    );
  }
}
