import { Injectable } from '@nestjs/common';
import { organizationOf, type Page, type PageRequest, type RequestContext } from '#platform/common';
import { column, row, type RowOf } from '#platform/database';
import { DirectoryListQuery, type ListColumns, type UserStatus } from '#directory/memberships';
import { GroupAccessService } from './group-access.service.js';

const USER_ROW = row({
  userId: column.text(),
  email: column.text(),
  firstName: column.nullable(column.text()),
  lastName: column.nullable(column.text()),
  displayName: column.nullable(column.text()),
  status: column.text<UserStatus>(),
});
const MEMBER_ROW = row({ addedAt: column.timestamp() });

const COLUMNS: ListColumns<RowOf<typeof USER_ROW>, RowOf<typeof MEMBER_ROW>> = {
  user: {
    row: USER_ROW,
    columns: `u.id AS "userId", u.email, u.first_name AS "firstName", u.last_name AS "lastName", u.display_name AS "displayName", u.status`,
  },
  inOrganization: {
    row: MEMBER_ROW,
    columns: 'p.added_at AS "addedAt"',
    joins: 'LEFT JOIN group_members p ON p.tenant_id = $1 AND p.group_id = $3 AND p.user_id = i.user_id',
  },
};

export type ListedGroupMember = RowOf<typeof USER_ROW> & RowOf<typeof MEMBER_ROW>;

/** Lists the members of groups. */
@Injectable()
export class GroupMemberListService {
  constructor(
    private readonly access: GroupAccessService,
    private readonly directoryList: DirectoryListQuery,
  ) {}

  /** Returns a page of the members of a group, newest users first. Deleted users are omitted. @throws ResourceNotFound (404) */
  async list(
    ctx: RequestContext,
    groupId: string,
    search: string | undefined,
    request: PageRequest,
  ): Promise<Page<ListedGroupMember>> {
    const organization = organizationOf(ctx);
    await this.access.get(ctx, organization, groupId);
    const filter = { membersOnly: true, groupId, ...(search === undefined ? {} : { search }) };
    return this.directoryList.page(ctx, organization, { filter, request }, COLUMNS);
  }
}
