import { Injectable, type OnModuleInit } from '@nestjs/common';
import { assertUnchanged, changesBetween, newId, organizationOf, type Page, type PageRequest, type RequestContext } from '#platform/common';
import { UnitOfWork } from '#platform/events';
import { type OrganizationLifecycleHandler, OrganizationLifecycleHandlers } from '#directory/organizations';
import { GroupAccessService } from './group-access.service.js';
import { GROUPS_PER_ORGANIZATION_MAX, GroupLimit } from './group-errors.js';
import { GroupMembersQuery } from './group-members.query.js';
import { GroupRoleAssignmentRepository } from './group-role-assignment.repository.js';
import { Group } from './group.entity.js';
import { type GroupFilter, GroupQuery } from './group.query.js';
import { GroupRepository } from './group.repository.js';
import type { CreateGroupRequest, UpdateGroupRequest } from './group.requests.js';
import { groupData } from './groups.definitions.js';

export interface CountedGroup {
  readonly group: Group;
  /** Number of members, without deleted users. */
  readonly memberCount: number;
}

/** Number of members that one statement removes when a group is deleted. */
const DELETION_BATCH_SIZE = 10_000;
