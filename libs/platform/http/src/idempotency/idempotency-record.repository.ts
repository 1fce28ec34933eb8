import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import { Raw, Repository } from 'typeorm';
import { IdempotencyRecord } from './idempotency-record.entity.js';

/** The caller, operation and key of a request. A request with the same values is a retry. */
export type IdempotentCall = Pick<IdempotencyRecord, 'callerId' | 'operation' | 'key'>;

/** Validity period of a record. */
export const RETENTION = `interval '24 hours'`;

/** Reads and writes records of responses. Uses the clock of the database for expiry. */
@Injectable()
export class IdempotencyRecordRepository extends BaseRepository<IdempotencyRecord> {
  constructor(@InjectRepository(IdempotencyRecord) records: Repository<IdempotencyRecord>) {
    super(records);
  }

  /** Returns the unexpired record of a call, or null. */
  findValid(ctx: RequestContext, { callerId, operation, key }: IdempotentCall): Promise<IdempotencyRecord | null> {
    const createdAt = Raw((column) => `${column} > now() - ${RETENTION}`);
    return this.rows(ctx).findOneBy({ callerId, operation, key, createdAt });
  }

  /** Inserts a record. Replaces an expired record of the same call. */
  async save(ctx: RequestContext, record: Omit<IdempotencyRecord, 'createdAt'>): Promise<void> {
    await this.rows(ctx).upsert({ ...record, createdAt: () => 'now()' }, ['callerId', 'operation', 'key']);
  }
}
