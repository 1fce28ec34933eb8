import { GROUP_SCHEMA_ID } from '../protocol/schemas.js';
import type { ScimObject } from '../protocol/resource.js';
import type { GroupRecord, MemberRecord, MembersSummary } from './scim-groups.query.js';

/** Returns the version of a group, which changes with the group and with its members. */
export const groupVersionOf = ({ version }: GroupRecord, members: MembersSummary | undefined): string =>
  `W/"${version}.${members?.count ?? 0}.${members?.lastAddedAt.getTime() ?? 0}"`;

/** Returns the resource in responses. `base` is the base URL of the connection. Without members, the resource has no version. */
export function groupResource(
  record: GroupRecord,
  base: string,
  members?: { readonly version: string; readonly list: readonly MemberRecord[] },
): ScimObject {
  const { id, externalId, displayName, createdAt, updatedAt } = record;
  return {
    schemas: [GROUP_SCHEMA_ID],
    id,
    ...(externalId === null ? {} : { externalId }),
    displayName,
    ...(members && members.list.length > 0
      ? {
          members: members.list.map(({ value }) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })),
        }
      : {}),
    meta: {
      resourceType: 'Group',
      created: createdAt.toISOString(),
      lastModified: updatedAt.toISOString(),
      location: `${base}/Groups/${id}`,
      ...(members ? { version: members.version } : {}),
    },
  };
}
