import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { OrganizationScope, Page, PageRequest, RequestContext } from '#platform/common';
import { BaseRepository, lockKey } from '#platform/database';
import type { PolicyAuthorization } from '#directory/privileges';
import { Repository } from 'typeorm';
import { ApplicationApproval, type ApprovalStatus } from './application-approval.entity.js';

type Home = Pick<OrganizationScope, 'tenantId' | 'id'>;

@Injectable()
export class ApplicationApprovalRepository extends BaseRepository<ApplicationApproval> {
  constructor(@InjectRepository(ApplicationApproval) approvals: Repository<ApplicationApproval>) {
    super(approvals);
  }

  find(ctx: RequestContext, { tenantId, id: organizationId }: Home, id: string): Promise<ApplicationApproval | null> {
    return this.rows(ctx).findOneBy({ tenantId, organizationId, id });
  }

  /** Locks the row until the transaction ends. */
  lock(ctx: RequestContext, { tenantId, id: organizationId }: Home, id: string): Promise<ApplicationApproval | null> {
    return this.rows(ctx).findOne({ where: { tenantId, organizationId, id }, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns the approval of a client, or null. Others wait until the transaction ends, so that no second one is created. */
  async lockOfClient(
    ctx: RequestContext,
    { tenantId, id: organizationId }: Home,
    clientId: string,
  ): Promise<ApplicationApproval | null> {
    await lockKey(ctx, 'application-approvals', `${organizationId} ${clientId}`);
    return this.rows(ctx).findOne({ where: { tenantId, organizationId, clientId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Returns a page of approvals, newest first. @throws InvalidCursor (400) */
  list(
    ctx: RequestContext,
    { tenantId, id: organizationId }: Home,
    request: PageRequest,
    status?: ApprovalStatus,
  ): Promise<Page<ApplicationApproval>> {
    return this.findPage(ctx, 'applicationApproval', { tenantId, organizationId, ...(status ? { status } : {}) }, request);
  }

  /** Saves an approval that waits for a decision, which allows nothing. */
  async savePending(ctx: RequestContext, approval: ApplicationApproval): Promise<void> {
    await this.rows(ctx).save({ ...approval, status: 'pending' });
  }

  async saveDecided(ctx: RequestContext, approval: ApplicationApproval, _policy: PolicyAuthorization): Promise<void> {
    await this.rows(ctx).save(approval);
  }
}
