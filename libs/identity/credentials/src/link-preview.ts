import type { OrganizationScope } from '#platform/common';
import type { Branding, PasswordPolicy } from '#directory/organizations';

export interface LinkPreview {
  readonly email: string;
  /** The organization that the user can sign in to after using the link. */
  readonly organization: OrganizationScope;
  readonly branding: Branding;
  readonly expiresAt: Date;
}

export interface PasswordLinkPreview extends LinkPreview {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly passwordPolicy: PasswordPolicy;
}
