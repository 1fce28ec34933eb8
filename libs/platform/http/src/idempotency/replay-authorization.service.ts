import { Injectable } from '@nestjs/common';
import { assertRecentlyAuthenticated, Clock, permissionsBeyond, type RequestContext, ResourceNotFound } from '#platform/common';
import { StoredPermissionEnded } from './idempotency-errors.js';
import type { IdempotencyRecord } from './idempotency-record.entity.js';

const USER_IDS = /\busr_[0-9a-z]{26}\b/g;

/** Returns which of these users exist. */
type UserFinder = (ctx: RequestContext, userIds: readonly string[]) => Promise<ReadonlySet<string>>;

/** Decides whether a caller can receive the stored response to the first request. */
@Injectable()
export class ReplayAuthorizationService {
  private findExisting?: UserFinder;

  constructor(private readonly clock: Clock) {}

  /** The memberships library, which imports this library, registers how to find users. */
  registerUsers(findExisting: UserFinder): void {
    this.findExisting = findExisting;
  }

  /**
   * Asserts what the first request required: its permissions, and a recent authentication if it needed one. Asserts that no user in the
   * response was deleted permanently since then.
   * @throws StoredPermissionEnded (403), ReauthenticationRequired (401), ResourceNotFound (404)
   */
  async assertAllowed(
    ctx: RequestContext,
    { permissions, proofRequired }: Pick<IdempotencyRecord, 'permissions' | 'proofRequired'>,
    response: string,
  ): Promise<void> {
    if (permissionsBeyond(ctx.caller.permissions, permissions ?? []).length > 0) throw new StoredPermissionEnded();
    if (proofRequired) assertRecentlyAuthenticated(ctx, this.clock.now());
    const userIds = [...new Set(response.match(USER_IDS))];
    if (userIds.length === 0) return;
    if (!this.findExisting) throw new Error('No library has registered how to find users.');
    const existing = await this.findExisting(ctx, userIds);
    const missing = userIds.find((id) => !existing.has(id));
    if (missing !== undefined) throw new ResourceNotFound('user', missing);
  }
}
