import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { CleanupQuery, column, row, type RowOf } from '#platform/database';
import { DataSource } from 'typeorm';

const CONSUMED_ROW = row({ organizationId: column.text(), identityProviderId: column.text(), checksSealed: column.text() });
export type ConsumedOidcSignIn = RowOf<typeof CONSUMED_ROW>;

@Injectable()
export class OidcSignInQuery extends CleanupQuery {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /**
   * Deletes and returns a pending sign-in. Only one of several concurrent calls succeeds. Returns null if the sign-in doesn't exist, is
   * expired, or was started by another client.
   */
  async consume(ctx: RequestContext, stateHash: Buffer, bindingHash: Buffer, now: Date): Promise<ConsumedOidcSignIn | null> {
    const [signIn] = await this.query(
      ctx,
      CONSUMED_ROW,
      `DELETE FROM oidc_sign_ins WHERE state_hash = $1 AND binding_hash = $2 AND expires_at > $3
       RETURNING organization_id AS "organizationId", identity_provider_id AS "identityProviderId", checks_sealed AS "checksSealed"`,
      [stateHash, bindingHash, now],
    );
    return signIn ?? null;
  }

  /** Deletes at most `limit` expired sign-ins. Returns the number of deleted sign-ins. */
  async deleteExpired(ctx: RequestContext, now: Date, limit: number): Promise<number> {
    return this.deleteBatch(ctx, { table: 'oidc_sign_ins', key: 'state_hash', where: 'expires_at <= $1' }, [now], limit);
  }
}
