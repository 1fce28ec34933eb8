import type { OrganizationScope } from '#platform/common';
import type { Branding, PasswordPolicy } from '#directory/organizations';

/** What a person may see of a mailed link before using it. */
export interface LinkOffer {
  readonly email: string;
  /** Where the person signs in afterwards. */
  readonly organization: OrganizationScope;
  readonly branding: Branding;
  readonly expiresAt: Date;
}

/** The same of a link with which a password is set. */
export interface PasswordLinkOffer extends LinkOffer {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly passwordPolicy: PasswordPolicy;
}
