import { Injectable } from '@nestjs/common';
import type { OrganizationScope, RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';

type Place = Pick<OrganizationScope, 'id' | 'tenantId'>;

/** Challenges of sign-ins with nothing but a passkey. */
@Injectable()
export class PasskeySignInRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  async insert(ctx: RequestContext, { id, tenantId }: Place, challengeHash: Buffer, expiresAt: Date): Promise<void> {
    await this.query(
      ctx,
      'INSERT INTO passkey_sign_ins (tenant_id, challenge_hash, organization_id, expires_at) VALUES ($1, $2, $3, $4)',
      [tenantId, challengeHash, id, expiresAt],
    );
  }

  /** Uses a challenge up; of several at once, one gets true. */
  async take(ctx: RequestContext, { id, tenantId }: Place, challengeHash: Buffer, now: Date): Promise<boolean> {
    const taken = await this.execute(
      ctx,
      'DELETE FROM passkey_sign_ins WHERE tenant_id = $1 AND challenge_hash = $2 AND organization_id = $3 AND expires_at > $4',
      [tenantId, challengeHash, id, now],
    );
    return taken === 1;
  }
}
