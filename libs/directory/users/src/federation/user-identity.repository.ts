import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { DataSource } from 'typeorm';

/** An account at an identity provider: who it is there is told by issuer and subject together. */
export interface ProviderIdentity {
  readonly tenantId: string;
  readonly identityProviderId: string;
  readonly issuer: string;
  readonly subject: string;
}

/** A link as it is shown. */
export interface LinkedIdentity {
  readonly identityProviderId: string;
  readonly provider: string;
  readonly issuer: string;
  readonly externalId: string;
  readonly createdAt: Date;
}

/** Links of users to accounts at identity providers. */
@Injectable()
export class UserIdentityRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async userIdOf(ctx: RequestContext, identity: ProviderIdentity): Promise<string | null> {
    const [row] = await this.query<{ userId: string }>(
      ctx,
      `SELECT user_id AS "userId" FROM user_identities
       WHERE tenant_id = $1 AND identity_provider_id = $2 AND issuer = $3 AND external_id = $4`,
      [identity.tenantId, identity.identityProviderId, identity.issuer, identity.subject],
    );
    return row?.userId ?? null;
  }

  /** Whether the user is linked to some account at the provider, under its present issuer. */
  async isLinked(ctx: RequestContext, user: UserKey, identityProviderId: string, issuer: string): Promise<boolean> {
    const rows = await this.query(
      ctx,
      'SELECT FROM user_identities WHERE tenant_id = $1 AND user_id = $2 AND identity_provider_id = $3 AND issuer = $4 LIMIT 1',
      [user.tenantId, user.id, identityProviderId, issuer],
    );
    return rows.length === 1;
  }

  /** Returns the links of the user, oldest first. */
  async listOf(ctx: RequestContext, user: UserKey): Promise<LinkedIdentity[]> {
    return this.query(
      ctx,
      `SELECT identity_provider_id AS "identityProviderId", provider, issuer, external_id AS "externalId", created_at AS "createdAt"
       FROM user_identities WHERE tenant_id = $1 AND user_id = $2 ORDER BY created_at, provider`,
      [user.tenantId, user.id],
    );
  }

  /** Removes the links of the user to a provider; returns whether there were any. */
  async remove(ctx: RequestContext, user: UserKey, identityProviderId: string): Promise<boolean> {
    const removed = await this.execute(
      ctx,
      'DELETE FROM user_identities WHERE tenant_id = $1 AND user_id = $2 AND identity_provider_id = $3',
      [user.tenantId, user.id, identityProviderId],
    );
    return removed > 0;
  }

  /** Removes all links of the user; returns whether there were any. */
  async removeAllOf(ctx: RequestContext, user: UserKey): Promise<boolean> {
    const removed = await this.execute(ctx, 'DELETE FROM user_identities WHERE tenant_id = $1 AND user_id = $2', [
      user.tenantId,
      user.id,
    ]);
    return removed > 0;
  }

  /** Adds a link; false when the account is linked already. */
  async insert(ctx: RequestContext, user: UserKey, identity: ProviderIdentity, provider: string, at: Date): Promise<boolean> {
    const added = await this.execute(
      ctx,
      `INSERT INTO user_identities (tenant_id, user_id, identity_provider_id, issuer, external_id, provider, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ON CONSTRAINT user_identities_pkey DO NOTHING`,
      [user.tenantId, user.id, identity.identityProviderId, identity.issuer, identity.subject, provider, at],
    );
    return added === 1;
  }
}
