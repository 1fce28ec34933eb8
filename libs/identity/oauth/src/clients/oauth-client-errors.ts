import { DomainError } from '#platform/common';

/** Maximum number of OAuth clients of an organization, and of the platform. */
export const CLIENTS_PER_ORGANIZATION_MAX = 500;
/** Maximum number of secrets of an OAuth client. */
export const SECRETS_PER_CLIENT_MAX = 5;

export class OAuthClientLimit extends DomainError {
  readonly code = 'oauth_client_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An organization can have at most ${CLIENTS_PER_ORGANIZATION_MAX} OAuth clients. Delete one that is no longer used.`);
  }
}

export class OAuthClientSecretLimit extends DomainError {
  readonly code = 'oauth_client_secret_limit';
  readonly kind = 'conflict';
  constructor() {
    super(`An OAuth client can have at most ${SECRETS_PER_CLIENT_MAX} secrets. Delete one that is no longer used.`);
  }
}

/** A client without client secrets can't get a secret: 409. */
export class OAuthClientHasNoSecrets extends DomainError {
  readonly code = 'oauth_client_has_no_secrets';
  readonly kind = 'conflict';
  constructor(id: string) {
    super(
      `The OAuth client "${id}" does not authenticate with a secret. Change its authentication to client_secret_basic or client_secret_post first.`,
    );
  }
}

/** The clients and resources of the platform belong to no organization, so that no role grants access to them. */
export class PlatformKeyNeeded extends DomainError {
  readonly code = 'forbidden';
  readonly kind = 'forbidden';
  constructor() {
    super(
      'Only a platform key can manage the OAuth clients and resources of the platform. Use the path of an organization (/v1/organizations/:org/…) instead.',
    );
  }
}

/** The text of `PlatformKeyNeeded` in the descriptions of operations. */
export const ONLY_PLATFORM = 'Only platform keys can call this operation (`forbidden`).';
