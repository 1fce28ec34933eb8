import { DomainError, type FieldProblem, type OrganizationScope } from '#platform/common';
import { restorableUntil } from './restore-window.js';

export class SlugTaken extends DomainError {
  readonly code = 'slug_taken';
  readonly kind = 'conflict';
  /** `deleted` is the organization with the slug if it is deleted and the caller can restore it. */
  constructor(slug: string, deleted?: { readonly id: string; readonly deletedAt: Date }) {
    const owner = deleted
      ? ` It belongs to the deleted organization ${deleted.id}, which can be restored until ${restorableUntil(deleted.deletedAt).toISOString()}.`
      : '';
    super(
      `The slug "${slug}" is already taken.${owner} Choose another slug. If you send no slug, the service generates a slug from the name.`,
    );
  }
}

export class OrganizationHasChildren extends DomainError {
  readonly code = 'organization_has_children';
  readonly kind = 'conflict';
  constructor() {
    super(
      'The organization has child organizations. Delete them first, or send cascade=true to delete all descendant organizations with it.',
    );
  }
}

export class HierarchyTooDeep extends DomainError {
  readonly code = 'hierarchy_too_deep';
  readonly kind = 'rule_violated';
  constructor(maxDepth: number) {
    super(
      `Organizations can be nested at most ${maxDepth} levels deep (MAX_HIERARCHY_DEPTH). Choose a parent closer to the root organization.`,
    );
  }
}

export class SettingLocked extends DomainError {
  readonly code = 'setting_locked';
  readonly kind = 'rule_violated';
  override readonly errors: readonly FieldProblem[];
  constructor(field: string, by: { id: string; name: string }) {
    super(
      `The setting "${field}" is locked by the organization "${by.name}" (${by.id}) and can't be overridden in its descendant organizations.`,
    );
    this.errors = [{ pointer: `/settings/${field}`, in: 'body', code: this.code, message: this.message }];
  }
}

export class PlatformKeyRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'Only a platform key can create a root organization. Send the parentId of an organization that the caller has access to.',
    );
  }
}

export class OrganizationSuspended extends DomainError {
  readonly code = 'organization_suspended';
  readonly kind = 'conflict';
  constructor() {
    super(
      'The organization or one of its ancestors is suspended, so nothing in the organization can be changed. Activate the suspended organization first.',
    );
  }
}

export class OrganizationPending extends DomainError {
  readonly code = 'organization_pending';
  readonly kind = 'conflict';
  constructor({ slug }: Pick<OrganizationScope, 'slug'>) {
    super(`The organization "${slug}" is pending approval, so nothing in the organization can be changed yet.`);
  }
}

/** @throws OrganizationSuspended, OrganizationPending (409) */
export function assertActive({ status, slug }: Pick<OrganizationScope, 'status' | 'slug'>): void {
  if (status === 'suspended') throw new OrganizationSuspended();
  if (status === 'pending') throw new OrganizationPending({ slug });
}

export class ApprovalRequiresPlatformKey extends DomainError {
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
    super(
      'The parent organization is deleted. Restore it first; this also restores the organizations that were deleted with it.',
    );
  }
}

export class SuspendedByAncestor extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'The organization was suspended with a platform key or by an ancestor organization. Only platform keys, the ancestor organization that suspended it, and the ancestors of that organization can change or end the suspension.',
    );
  }
}
