import { DomainError } from '#common';

export class RoleNameTaken extends DomainError {
  readonly code = 'role_name_taken';
  readonly kind = 'conflict';
  constructor(name: string) {
    super(`The organization has a role named "${name}" already, or it is a built-in one. Choose another name.`);
  }
}

export class RoleInUse extends DomainError {
  readonly code = 'role_in_use';
  readonly kind = 'conflict';
  constructor(name: string) {
    super(`Users hold the role "${name}", or it is somebody's default role. Name the role that takes its place with reassignTo.`);
  }
}

export class RoleNotEditable extends DomainError {
  readonly code = 'role_not_editable';
  readonly kind = 'forbidden';
  constructor(name: string) {
    super(`The role "${name}" is built in or belongs to an organization above, and can't be changed here.`);
  }
}

export class RoleLimit extends DomainError {
  readonly code = 'role_limit';
  readonly kind = 'conflict';
  constructor(most: number) {
    super(`An organization can have ${most} roles of its own at most.`);
  }
}
