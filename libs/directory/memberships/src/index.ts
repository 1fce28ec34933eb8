export { type CountDelta, DirectoryCountsQuery } from './directory-counts.query.js';
export { DirectoryEntry } from './directory-entry.entity.js';
export { DIRECTORY_SORTS, type DirectorySort } from './directory-order.js';
export { type DirectoryFilter, NONEXISTENT_ROLE_ID } from './directory-conditions.js';
export { type DirectoryPageRequest, DirectoryListQuery, type ListColumns } from './directory-list.query.js';
export { tenantIdsOf, type UserStatus, visibleName } from './directory-user.js';
export { MemberListService } from './member-list.service.js';
export { MemberRemovalHandlers } from './member-removal-handlers.js';
export { MembershipRepository } from './membership.repository.js';
export { MembershipsModule } from './memberships.module.js';
export { OWNER_FLAGS, type OwnerCheck, OwnerCheckLoop, type OwnerFlag } from './owner-check-loop.js';
export { OwnersService } from './owners.service.js';
export { SelfGrantsService } from './self-grants.service.js';
export {
  type HeldRole,
  sessionUserDetails,
  type SessionUser,
  type StoredSessionUser,
  UserGrantsQuery,
} from './user-grants.query.js';
export { UserDirectoryService } from './user-directory.service.js';
