/** The key of a user. User ids are unique across tenants, but queries always filter by tenant. */
export interface UserKey {
  readonly tenantId: string;
  readonly id: string;
}
