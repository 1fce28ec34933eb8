import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { SqlRepository } from '#platform/database';
import { DataSource } from 'typeorm';
import type { SigningKey } from './signing-key.js';

/** Rows of the keys that sign access tokens; they belong to no tenant. */
@Injectable()
export class SigningKeyRepository extends SqlRepository {
  constructor(dataSource: DataSource) {
    super(dataSource);
  }

  /** In the order in which they sign. */
  list(ctx: RequestContext): Promise<SigningKey[]> {
    return this.query(
      ctx,
      `SELECT kid, public_jwk AS "publicJwk", private_jwk_sealed AS "privateJwkSealed", signs_from AS "signsFrom"
       FROM signing_keys ORDER BY signs_from, kid`,
    );
  }

  /** Holds other processes back that would change the keys, until the transaction ends. */
  holdRotation(ctx: RequestContext): Promise<void> {
    return this.lockWords(ctx, 'signing_keys');
  }

  async insert(ctx: RequestContext, { kid, publicJwk, privateJwkSealed, signsFrom }: SigningKey, now: Date): Promise<void> {
    await this.query(
      ctx,
      'INSERT INTO signing_keys (kid, public_jwk, private_jwk_sealed, signs_from, created_at) VALUES ($1, $2, $3, $4, $5)',
      [kid, JSON.stringify(publicJwk), privateJwkSealed, signsFrom, now],
    );
  }

  async remove(ctx: RequestContext, kids: readonly string[]): Promise<void> {
    await this.execute(ctx, 'DELETE FROM signing_keys WHERE kid = ANY($1)', [kids]);
  }
}
