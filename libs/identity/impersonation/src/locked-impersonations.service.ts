import { Injectable } from '@nestjs/common';
import { type OrganizationScope, type RequestContext, ResourceNotFound } from '#platform/common';
import type { UserKey } from '#directory/sessions';
import { UserActivationService, type UserWithOrganization } from '#directory/users';
import type { Impersonation } from './impersonation.entity.js';
import { ImpersonationRepository } from './impersonation.repository.js';

/** An impersonation, locked until the transaction ends, with its user. */
export interface LockedImpersonation {
  readonly impersonation: Impersonation;
  readonly owner: UserWithOrganization;
}

@Injectable()
export class LockedImpersonationsService {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly userActivation: UserActivationService,
  ) {}

  /**
   * Returns an impersonation of a user whom an organization manages. An impersonation of a user who has another managing organization since
   * the request is not found.
   * @throws ResourceNotFound (404)
   */
  async get(ctx: RequestContext, { tenantId, id: organizationId }: OrganizationScope, id: string): Promise<LockedImpersonation> {
    const found = await this.find(ctx, { tenantId, id });
    if (found?.impersonation.organizationId !== organizationId || found.owner.managingOrganization.id !== organizationId)
      throw new ResourceNotFound('impersonation', id);
    return found;
  }

  /** Returns an impersonation of the user. @throws ResourceNotFound (404) */
  async getOwn(ctx: RequestContext, user: UserKey, id: string): Promise<LockedImpersonation> {
    const found = await this.find(ctx, { tenantId: user.tenantId, id });
    if (found?.impersonation.userId !== user.id) throw new ResourceNotFound('impersonation', id);
    return found;
  }

  /** Locks the user before the impersonation, as all changes of users do. Returns null if either does not exist anymore. */
  async find(ctx: RequestContext, key: UserKey): Promise<LockedImpersonation | null> {
    const known = await this.impersonations.findOne(ctx, key);
    const owner = known && (await this.userActivation.lock(ctx, { tenantId: key.tenantId, id: known.userId }));
    const impersonation = owner && (await this.impersonations.lock(ctx, key));
    return impersonation ? { impersonation, owner } : null;
  }
}
