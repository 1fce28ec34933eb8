import type { TestApp } from './app.js';

/** Returns the stored counts that differ from the counted rows of one snapshot, with organization and dimension. */
export const countDifferences = (database: Pick<TestApp['database'], 'query'>) =>
  database.query(
    `WITH counted AS (
       SELECT organization_id, dimension, status, sum(amount)::int AS n FROM (
         SELECT organization_id, dimension, status, amount FROM directory_counts
         UNION ALL SELECT organization_id, dimension, status, amount FROM directory_count_deltas) parts GROUP BY 1, 2, 3
     ), truth AS (
       SELECT organization_id, 'user' AS dimension, status, count(*)::int AS n FROM directory_entries GROUP BY 1, 3
       UNION ALL SELECT organization_id, 'member', status, count(*)::int FROM directory_entries WHERE member GROUP BY 1, 3
       UNION ALL SELECT organization_id, role_id, user_status, count(*)::int FROM role_assignments GROUP BY 1, 2, 3
       UNION ALL SELECT p.organization_id, p.group_id, e.status, count(*)::int FROM group_members p
         JOIN directory_entries e USING (tenant_id, organization_id, user_id) GROUP BY 1, 2, 3
     )
     SELECT * FROM counted c FULL JOIN truth t USING (organization_id, dimension, status) WHERE coalesce(c.n, 0) <> coalesce(t.n, 0)`,
  );
