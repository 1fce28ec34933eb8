import { DomainError } from '#platform/common';

/** Maximum number of OAuth resources of an organization, and of the platform. */
export const RESOURCES_PER_ORGANIZATION_MAX = 100;

export class OAuthResourceLimit extends DomainError {
  readonly code = 'oauth_resource_limit';
  readonly kind = 'conflict';
  constructor() {
    super(
      `An organization can have at most ${RESOURCES_PER_ORGANIZATION_MAX} OAuth resources. Delete one that is no longer used.`,
    );
  }
}

/** The identifier is the audience of access tokens, so it can belong to one resource only, and after its deletion to one tenant only: 409. */
export class OAuthResourceIdentifierTaken extends DomainError {
  readonly code = 'oauth_resource_identifier_taken';
  readonly kind = 'conflict';
  constructor(identifier: string) {
    super(
      `The identifier "${identifier}" belongs to an OAuth resource, or did before the resource was deleted. Choose another identifier.`,
    );
  }
}
