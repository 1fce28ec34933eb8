/**
 * Returns the condition that a column contains one of the tenants in a `text[]` parameter. For statements that join rows of several tenants
 * with a list of keys: Citus then uses only the shards of these tenants. The second part adds no rows. It keeps PostgreSQL from using the
 * condition with an index, which would search for every other key in every tenant.
 */
export const inTenants = (column: string, parameter: string): string =>
  `(${column} = ANY (${parameter}::text[]) OR ${column} = (${parameter}::text[])[1])`;
