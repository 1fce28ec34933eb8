import { DomainError } from '#platform/common';
import type { RoleUse } from './role-usage.js';

export class RoleNameTaken extends DomainError {
  readonly code = 'role_name_taken';
  readonly kind = 'conflict';
  constructor(name: string) {
    super(`The role name "${name}" is already taken in this organization or by a built-in role. Choose another name.`);
  }
}

export class RoleInUse extends DomainError {
  readonly code = 'role_in_use';
  readonly kind = 'conflict';
  constructor(name: string, uses: readonly RoleUse[]) {
    super(
      `The role "${name}" is in use by ${uses.map(textOf).join(', ')}. Send a replacement role as reassignTo. It also replaces the role of deleted users and in deleted organizations.`,
    );
  }
}

const LISTED = {
  user: ['user', 'users'],
  group: ['group', 'groups'],
  organization: ['organization as its default role', 'organizations as their default role'],
} as const;
const DELETED = {
  user: ['user who is deleted or belongs to a deleted organization', 'users who are deleted or belong to deleted organizations'],
  group: ['group of a deleted organization', 'groups of deleted organizations'],
  organization: ['deleted organization as its default role', 'deleted organizations as their default role'],
} as const;

/** Returns a use as text. Lists show no deleted users and nothing of deleted organizations, so the text explains them. */
function textOf({ by, count, deleted }: RoleUse): string {
  const [one, many] = (deleted ? DELETED : LISTED)[by];
  const until = deleted?.restorableUntil ? ` (can be restored until ${deleted.restorableUntil.toISOString()})` : '';
  return `${count} ${count === 1 ? one : many}${until}`;
}

export class RoleNotEditable extends DomainError {
  readonly code = 'role_not_editable';
  readonly kind = 'forbidden';
  constructor(name: string) {
    super(`The role "${name}" is built in or belongs to an ancestor organization, so it can't be changed here.`);
  }
}

export class RoleLimit extends DomainError {
  readonly code = 'role_limit';
  readonly kind = 'conflict';
  constructor(maxRoles: number) {
    super(`An organization can have at most ${maxRoles} custom roles. Delete one that is no longer needed.`);
  }
}
