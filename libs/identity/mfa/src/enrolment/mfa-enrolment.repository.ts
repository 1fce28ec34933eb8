import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { RequestContext } from '#platform/common';
import { BaseRepository } from '#platform/database';
import type { UserKey } from '#directory/sessions';
import { Repository } from 'typeorm';
import { MfaEnrolment } from './mfa-enrolment.entity.js';

export type EnrolmentKey = Pick<MfaEnrolment, 'tenantId' | 'userId' | 'method' | 'sessionId'>;

@Injectable()
export class MfaEnrolmentRepository extends BaseRepository<MfaEnrolment> {
  constructor(@InjectRepository(MfaEnrolment) enrolments: Repository<MfaEnrolment>) {
    super(enrolments);
  }

  /** Inserts an enrolment, or replaces the user's enrolment of the method. */
  async replace(ctx: RequestContext, enrolment: Omit<MfaEnrolment, 'tries'>): Promise<void> {
    await this.rows(ctx).upsert({ ...enrolment, tries: 0 }, ['tenantId', 'userId', 'method']);
  }

  /** Deletes the enrolment that was started at `createdAt`. Returns true to only one of several concurrent calls. */
  async consume(ctx: RequestContext, { tenantId, userId, method, sessionId }: EnrolmentKey, createdAt: Date): Promise<boolean> {
    return (await this.rows(ctx).delete({ tenantId, userId, method, sessionId, createdAt })).affected === 1;
  }

  async deleteAll(ctx: RequestContext, { tenantId, id }: UserKey): Promise<void> {
    await this.rows(ctx).delete({ tenantId, userId: id });
  }
}
