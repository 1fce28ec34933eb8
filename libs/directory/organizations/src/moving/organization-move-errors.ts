import { DomainError } from '#platform/common';
import type { InheritedRole } from './organization-inheritance.js';

export class OrganizationNotMovable extends DomainError {
  readonly code = 'organization_not_movable';
  readonly kind = 'rule_violated';
  constructor(why: 'root' | 'other_tenant') {
    super(
      why === 'root'
        ? 'A root organization has no parent and cannot be moved. Move its child organizations instead.'
        : 'An organization can be moved only within its tenant. Choose a parent that has the same root organization.',
    );
  }
}

export class OrganizationCycle extends DomainError {
  readonly code = 'organization_cycle';
  readonly kind = 'conflict';
  constructor() {
    super(
      'The parent is the organization itself or one of its descendants. Choose a parent outside the organization, or move the descendant first.',
    );
  }
}

export class AncestorRoleInUse extends DomainError {
  readonly code = 'ancestor_role_in_use';
  readonly kind = 'conflict';
  constructor(roles: readonly InheritedRole[]) {
    const names = roles.slice(0, 10).map(({ id, name, isUsedByDeletedOnly }) => {
      const by = isUsedByDeletedOnly ? ', used only by deleted users or organizations, which can be restored for 30 days' : '';
      return `"${name}" (${id}${by})`;
    });
    const advice = roles.some(({ isUsedByDeletedOnly }) => isUsedByDeletedOnly)
      ? ' For a role of deleted users or organizations: restore them, or delete the role with reassignTo.'
      : '';
    super(
      `The organization or its descendants use roles of organizations that would no longer be their ancestors: ${names.join(', ')}. Replace these roles first, in role assignments and in the setting defaultRole.${advice}`,
    );
  }
}

export class ParentAccessRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super('Moving an organization requires the permission "organizations:write" in its current parent organization, too.');
  }
}

/** The move would change permissions that the caller lacks. */
export class MoveBeyondOwn extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(change: 'gain' | 'lose', missing: readonly string[]) {
    super(
      `By this move, users or API keys would ${change} permissions in the organization that the caller does not have there and can't grant: ${missing.join(', ')}. Permissions from break-glass access don't count.`,
    );
  }
}

/** The move would change which webhooks of ancestors receive the events. */
export class EventsReadRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'The move changes which webhooks of ancestor organizations receive events of the organization. This requires the permission "events:read" in the organization.',
    );
  }
}

/** The move would end a lock or suspension of an ancestor. */
export class AncestorAccessRequired extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor(what: 'lock' | 'suspension', { id, name }: { readonly id: string; readonly name: string }) {
    super(
      what === 'lock'
        ? `The organization "${name}" (${id}) locks settings of the organization. Moving the organization out of it requires the permission "organizations:write" there.`
        : `The organization "${name}" (${id}) suspended a descendant of the organization. Moving the organization out of it requires the permission "organizations:write" there.`,
    );
  }
}
