export interface DataSubjectKey {
  readonly tenantId: string;
  readonly id: string;
}

/** The user of an export, and what the caller can see of the user. */
export interface DataSubject extends DataSubjectKey {
  readonly email: string;
  readonly phoneNumber: string | null;
  /** The tenants whose rows about the user are exported: the tenant of the user, and the tenants in which the user is or was a guest. */
  readonly tenantIds: readonly string[];
  /** The organizations whose rows are exported, with their descendants. Null for all organizations. */
  readonly organizationIds: readonly string[] | null;
}
