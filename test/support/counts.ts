import type { TestApp } from './app.js';

/**
 * Returns the stored counts that differ from the counted rows of one snapshot, with tenant, organization and dimension. All parts have the
 * tenant, so that Citus counts each tenant in one statement, and so in one snapshot.
 */
export const countDifferences = (database: Pick<TestApp['database'], 'query'>) =>
  database.query(
    `WITH counted AS (
       SELECT tenant_id, organization_id, dimension, status, sum(amount)::int AS n FROM (
         SELECT tenant_id, organization_id, dimension, status, amount FROM directory_counts
         UNION ALL SELECT tenant_id, organization_id, dimension, status, amount FROM directory_count_deltas) parts GROUP BY 1, 2, 3, 4
     ), truth AS (
       SELECT tenant_id, organization_id, 'user' AS dimension, status, count(*)::int AS n FROM directory_entries GROUP BY 1, 2, 4
       UNION ALL SELECT tenant_id, organization_id, 'member', status, count(*)::int FROM directory_entries WHERE member GROUP BY 1, 2, 4
       UNION ALL SELECT tenant_id, organization_id, role_id, user_status, count(*)::int FROM role_assignments GROUP BY 1, 2, 3, 4
       UNION ALL SELECT p.tenant_id, p.organization_id, p.group_id, e.status, count(*)::int FROM group_members p
         JOIN directory_entries e USING (tenant_id, organization_id, user_id) GROUP BY 1, 2, 3, 4
     )
     SELECT * FROM counted c FULL JOIN truth t USING (tenant_id, organization_id, dimension, status)
     WHERE coalesce(c.n, 0) <> coalesce(t.n, 0)`,
  );
