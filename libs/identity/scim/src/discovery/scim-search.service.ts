import { Injectable } from '@nestjs/common';
import type { RequestContext } from '#platform/common';
import { ScimSearchLimitService } from '../access/scim-search-limit.service.js';
import { ScimGroupReadsService } from '../groups/scim-group-reads.service.js';
import { type ListRequest, listResponseOf, readListRequest } from '../protocol/lists.js';
import type { ScimObject } from '../protocol/resource.js';
import { RESOURCE_TYPES } from '../protocol/schemas.js';
import { ScimRequestInvalid } from '../protocol/scim-errors.js';
import { ScimUserReadsService } from '../users/scim-user-reads.service.js';

/** Searches users and groups together: the users first, then the groups. */
@Injectable()
export class ScimSearchService {
  constructor(
    private readonly users: ScimUserReadsService,
    private readonly groups: ScimGroupReadsService,
    private readonly limit: ScimSearchLimitService,
  ) {}

  /** A type without an attribute of the filter has no results. @throws ScimRequestInvalid (400), and the errors of `ScimSearchLimitService` */
  async search(ctx: RequestContext, parameters: unknown): Promise<ScimObject> {
    const request = readListRequest(RESOURCE_TYPES, parameters);
    return this.limit.run(ctx, (ctx) => this.searchAll(ctx, request));
  }

  private async searchAll(ctx: RequestContext, request: ListRequest): Promise<ScimObject> {
    const { filter, projection, count, page } = request;
    if (!('startIndex' in page))
      throw new ScimRequestInvalid(
        'invalidCursor',
        'A search of all resources has no cursor. Search /Users and /Groups instead.',
      );
    const counted = await Promise.allSettled([this.users.count(ctx, filter), this.groups.count(ctx, filter)]);
    const rejected = counted.filter((result) => result.status === 'rejected');
    const unexpected =
      rejected.find(({ reason }) => !(reason instanceof ScimRequestInvalid)) ?? (rejected.length === 2 ? rejected[0] : undefined);
    if (unexpected) throw unexpected.reason;
    const [userTotal = 0, groupTotal = 0] = counted.map((result) => (result.status === 'fulfilled' ? result.value : 0));
    const offset = page.startIndex - 1;
    const users = offset < userTotal && count > 0 ? await this.users.read(ctx, filter, { offset, limit: count }, projection) : [];
    const rest = { offset: Math.max(0, offset - userTotal), limit: count - users.length };
    const groups = rest.offset < groupTotal && rest.limit > 0 ? await this.groups.read(ctx, filter, rest, projection) : [];
    return listResponseOf(request, { resources: [...users, ...groups], total: userTotal + groupTotal });
  }
}
