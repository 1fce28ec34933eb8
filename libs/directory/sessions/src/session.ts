/** The key of a user: ids are unique, but no row of a tenant is ever found by its id alone. */
export interface UserKey {
  readonly tenantId: string;
  readonly id: string;
}

/** One sign-in of a user on one device. */
export interface Session {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  /** The organization that was signed in to: its settings govern the session. */
  readonly organizationId: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  /** How the user proved who they are, such as `password` and `totp`. */
  readonly authenticationMethods: readonly string[];
  /** May do nothing but add a second factor. */
  readonly enrolmentOnly: boolean;
  readonly createdAt: Date;
  /** When the user signed in, or last proved again who they are. */
  readonly authenticatedAt: Date;
  /** Exact to a minute, or to a tenth of the idle timeout where that is shorter. */
  readonly lastSeenAt: Date;
  /** The absolute end, whatever the activity. */
  readonly expiresAt: Date;
}
