import { DomainError, type FieldProblem, type OrganizationScope } from '#common';

export class SlugTaken extends DomainError {
  readonly code = 'slug_taken';
  readonly kind = 'conflict';
  constructor(slug: string) {
    super(`The slug "${slug}" is already in use. Choose another, or leave it out to have one made from the name.`);
  }
}

export class OrganizationHasChildren extends DomainError {
  readonly code = 'organization_has_children';
  readonly kind = 'conflict';
  constructor() {
    super('The organization has organizations below it. Delete those first, or send cascade=true to delete them all.');
  }
}

export class HierarchyTooDeep extends DomainError {
  readonly code = 'hierarchy_too_deep';
  readonly kind = 'rule_violated';
  constructor(maxDepth: number) {
    super(`Organizations can be nested ${maxDepth} deep at most (MAX_HIERARCHY_DEPTH).`);
  }
}

export class SettingLocked extends DomainError {
  readonly code = 'setting_locked';
  readonly kind = 'rule_violated';
  override readonly errors: readonly FieldProblem[];
  constructor(field: string, by: { id: string; name: string }) {
    super(`"${field}" is locked by the organization "${by.name}" (${by.id}) and can't be overridden below it.`);
    this.errors = [{ pointer: `/settings/${field}`, in: 'body', code: this.code, message: this.message }];
  }
}

export class OnlyThePlatform extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super('Only a platform key can create a top-level organization. Give the parentId of an organization that this key reaches.');
  }
}

export class OrganizationSuspended extends DomainError {
  readonly code = 'organization_suspended';
  readonly kind = 'conflict';
  constructor() {
    super('The organization (or one above it) is suspended, so nothing in it can be changed. Activate it first.');
  }
}

/** A write in an organization that takes none yet: 409. */
export class OrganizationPending extends DomainError {
  readonly code = 'organization_pending';
  readonly kind = 'conflict';
  constructor({ slug }: Pick<OrganizationScope, 'slug'>) {
    super(`The organization "${slug}" waits for approval, so nothing in it can be changed yet.`);
  }
}

export class OnlyThePlatformApproves extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super('Only a platform key can approve a pending organization.');
  }
}

export class ParentDeleted extends DomainError {
  readonly code = 'parent_deleted';
  readonly kind = 'conflict';
  constructor() {
    super('The organization above is deleted. Restore that one first; it brings back all that was deleted with it.');
  }
}

/** Whoever could undo a suspension from above would not be suspended. */
export class SuspendedFromAbove extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'The organization was suspended from above. Only the platform, or the organization that suspended it or one above that, can change this.',
    );
  }
}

/** A setting that could lock out people who hold more than the caller: 403. */
export class AllPermissionsNeeded extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(setting: string) {
    super(`Changing ${setting} needs all permissions ("*") in the organization, since it binds everybody there.`);
  }
}
