import { DomainError } from '#platform/common';

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
  constructor(name: string) {
    super(
      `The role "${name}" is assigned to users or groups or is the default role of an organization. Send a replacement role as reassignTo.`,
    );
  }
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
