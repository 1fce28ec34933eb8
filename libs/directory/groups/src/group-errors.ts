import { DomainError } from '#platform/common';

/** Maximum number of groups of an organization. */
export const GROUPS_PER_ORGANIZATION_MAX = 500;

export class GroupNameTaken extends DomainError {
  readonly code = 'group_name_taken';
  readonly kind = 'conflict';
  constructor(name: string) {
    super(`The organization already has a group named "${name}". Choose another name.`);
  }
}

export class GroupLimit extends DomainError {
  readonly code = 'group_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An organization can have at most ${GROUPS_PER_ORGANIZATION_MAX} groups. Delete one that is no longer needed.`);
  }
}
