import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { Repository } from 'typeorm';
import type { CodeMethod } from '../mfa-method.js';
import { CodeFactor } from './code-factor.entity.js';

@Injectable()
export class CodeFactorRepository extends BaseRepository<CodeFactor> {
  constructor(@InjectRepository(CodeFactor) codeFactors: Repository<CodeFactor>) {
    super(codeFactors);
  }

  async list(ctx: RequestContext, { tenantId, id }: UserKey): Promise<CodeFactor[]> {
    return this.rows(ctx).find({ where: { tenantId, userId: id }, order: { method: 'ASC' } });
  }

  /** Inserts the factor, or replaces the user's factor of the method. */
  async replace(ctx: RequestContext, factor: Omit<CodeFactor, 'lastUsedAt'>, _signIn: SignInAuthorization): Promise<void> {
    await this.rows(ctx).upsert({ ...factor, lastUsedAt: null }, ['tenantId', 'userId', 'method']);
  }

  /** Records a use. Returns false if the factor was deleted. */
  async recordUse(ctx: RequestContext, { tenantId, id }: UserKey, method: CodeMethod, now: Date): Promise<boolean> {
    return (await this.rows(ctx).update({ tenantId, userId: id, method }, { lastUsedAt: now })).affected === 1;
  }

  /** Deletes the factor. Returns false if the factor does not exist. */
  async delete(
    ctx: RequestContext,
    { tenantId, id }: UserKey,
    method: CodeMethod,
    _signIn: SignInAuthorization,
  ): Promise<boolean> {
    return (await this.rows(ctx).delete({ tenantId, userId: id, method })).affected === 1;
  }
}
