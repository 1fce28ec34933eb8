import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository, isUniqueViolation } from '#platform/database';
import type { SignInAuthorization } from '#directory/privileges';
import type { UserKey } from '#directory/sessions';
import { In, LessThan, Repository } from 'typeorm';
import { PasskeyRegistered } from '../enrolment/enrolment-errors.js';
import { Passkey } from './passkey.entity.js';

@Injectable()
export class PasskeyRepository extends BaseRepository<Passkey> {
  constructor(@InjectRepository(Passkey) passkeys: Repository<Passkey>) {
    super(passkeys);
  }

  /** @throws PasskeyRegistered (409) */
  async insert(ctx: RequestContext, passkey: Passkey, _signIn: SignInAuthorization): Promise<void> {
    try {
      await this.rows(ctx).insert(passkey);
    } catch (error) {
      throw isUniqueViolation(error, 'passkeys_credential_id_key') ? new PasskeyRegistered() : error;
    }
  }

  /** Inserts passkeys with the next statement of the transaction, which fails with `PasskeyRegistered` (409) if one exists. */
  insertAllDeferred(ctx: RequestContext, passkeys: readonly Passkey[], _signIn: SignInAuthorization): void {
    if (passkeys.length === 0) return;
    this.insertDeferred(ctx, passkeys, (error) =>
      isUniqueViolation(error, 'passkeys_credential_id_key') ? new PasskeyRegistered() : undefined,
    );
  }

  /** Returns which credential ids passkeys of the tenant have. */
  async listRegistered(ctx: RequestContext, tenantId: string, credentialIds: readonly string[]): Promise<Set<string>> {
    const passkeys = await this.rows(ctx).findBy({ tenantId, credentialId: In([...credentialIds]) });
    return new Set(passkeys.map(({ credentialId }) => credentialId));
  }

  /** Returns the passkeys of a user, oldest first. */
  async list(ctx: RequestContext, { tenantId, id }: UserKey): Promise<Passkey[]> {
    return this.rows(ctx).find({ where: { tenantId, userId: id }, order: { id: 'ASC' } });
  }

  async findByCredential(ctx: RequestContext, tenantId: string, credentialId: string): Promise<Passkey | null> {
    return this.rows(ctx).findOneBy({ tenantId, credentialId });
  }

  /**
   * Records a use and the new counter. Returns false if the counter did not increase or the passkey was deleted. The counter of a passkey
   * that doesn't count signatures stays 0.
   */
  async recordUse(
    ctx: RequestContext,
    { tenantId, id }: Passkey,
    { counter, backedUp }: Pick<Passkey, 'counter' | 'backedUp'>,
    now: Date,
  ): Promise<boolean> {
    const key = { tenantId, id, counter: counter === 0 ? 0 : LessThan(counter) };
    return (await this.rows(ctx).update(key, { counter, backedUp, lastUsedAt: now })).affected === 1;
  }

  /** Renames the passkey. Returns null if the passkey does not exist. */
  async rename(ctx: RequestContext, { tenantId, id: userId }: UserKey, id: string, name: string): Promise<Passkey | null> {
    const key = { tenantId, userId, id };
    const { affected } = await this.rows(ctx).update(key, { name });
    return affected === 1 ? this.rows(ctx).findOneBy(key) : null;
  }

  /** Deletes the passkey. Returns false if the passkey does not exist. */
  async delete(
    ctx: RequestContext,
    { tenantId, id: userId }: UserKey,
    id: string,
    _signIn: SignInAuthorization,
  ): Promise<boolean> {
    return (await this.rows(ctx).delete({ tenantId, userId, id })).affected === 1;
  }
}
