import { DomainError } from '#platform/common';

/** Maximum number of groups of an organization. */
export const GROUPS_PER_ORGANIZATION_MAX = 10_000;
/** Maximum number of roles of a group. */
export const ROLES_PER_GROUP_MAX = 50;

export class GroupNameTaken extends DomainError {
  readonly code = 'group_name_taken';
  readonly kind = 'conflict';
  constructor(name: string) {
    super(`The organization already has a group named "${name}". Choose another name.`);
  }
}

export class GroupExternalIdTaken extends DomainError {
  readonly code = 'group_external_id_taken';
  readonly kind = 'conflict';
  constructor(externalId: string) {
    super(`The organization already has a group with the externalId "${externalId}".`);
  }
}

export class GroupLimit extends DomainError {
  readonly code = 'group_limit';
  readonly kind = 'conflict';
  constructor() {
    super(
      `An organization can have at most ${GROUPS_PER_ORGANIZATION_MAX.toLocaleString('en')} groups. Delete one that is no longer needed.`,
    );
  }
}

export class GroupRoleLimit extends DomainError {
  readonly code = 'group_role_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`A group can have at most ${ROLES_PER_GROUP_MAX} roles. Revoke one that is no longer needed.`);
  }
}

/** 422: the rules about owners, such as the last owner, are about users. */
export class OwnerRoleNotForGroups extends DomainError {
  readonly code = 'role_not_for_groups';
  readonly kind = 'rule_violated';
  constructor() {
    super('The role "owner" can\'t be assigned to a group. Assign the role to users, or choose another role for the group.');
  }
}

export class NestedGroupsUnsupported extends DomainError {
  readonly code = 'nested_groups_unsupported';
  readonly kind = 'rule_violated';
  constructor(id: string) {
    super(`"${id}" is a group. A group can't be a member of another group. Add the members of the group instead.`);
  }
}

/** 403: the roles of a group are roles of its members, so the caller also needs the permission to assign roles to members. */
export class GroupWithRoles extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(name: string) {
    super(
      `The members of the group "${name}" have its roles, so this change requires the permissions "groups:write" and "members:write". The caller does not have the permission "members:write".`,
    );
  }
}
