/** The key of a user. Ids are unique across tenants, but rows that a tenant owns are never found by their id alone. */
export interface UserKey {
  readonly tenantId: string;
  readonly id: string;
}
