import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository, lockKey } from '#platform/database';
import { In, Repository } from 'typeorm';
import { SigningKey } from './signing-key.entity.js';

@Injectable()
export class SigningKeyRepository extends BaseRepository<SigningKey> {
  constructor(@InjectRepository(SigningKey) keys: Repository<SigningKey>) {
    super(keys);
  }

  async list(ctx: RequestContext): Promise<SigningKey[]> {
    return this.rows(ctx).find({ order: { signsFrom: 'ASC', kid: 'ASC' } });
  }

  async lockRotation(ctx: RequestContext): Promise<void> {
    await lockKey(ctx, 'signing_keys');
  }

  async insert(ctx: RequestContext, key: SigningKey): Promise<void> {
    await this.rows(ctx).insert(key);
  }

  async delete(ctx: RequestContext, kids: readonly string[]): Promise<void> {
    await this.rows(ctx).delete({ kid: In(kids) });
  }
}
