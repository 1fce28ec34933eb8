import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Users get the list of other tenants in which they are or were guests, so that every statement about a user can name the tenants of its
 * rows. Redactions get a request for each of these tenants.
 */
export class TenantsOfGuests1796000000000 implements MigrationInterface {
  readonly name = 'TenantsOfGuests1796000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE users ADD COLUMN guest_tenant_ids text[] COLLATE "C" NOT NULL DEFAULT '{}';
      UPDATE users u SET guest_tenant_ids = g.tenant_ids
      FROM (
        SELECT user_tenant_id, user_id, array_agg(DISTINCT tenant_id) AS tenant_ids FROM (
          SELECT user_tenant_id, user_id, tenant_id FROM directory_entries WHERE tenant_id <> user_tenant_id
          UNION ALL SELECT requester_tenant_id, requester_id, tenant_id FROM break_glass_requests WHERE tenant_id <> requester_tenant_id
          -- Former guests have no directory entry, but events.
          UNION ALL SELECT f.tenant_id, f.id, e.tenant_id FROM events e JOIN users f ON f.id = e.user_id AND f.tenant_id <> e.tenant_id
          WHERE e.type = 'organization.member_added'
        ) found GROUP BY user_tenant_id, user_id
      ) g
      WHERE u.tenant_id = g.user_tenant_id AND u.id = g.user_id;
      INSERT INTO event_redactions (tenant_id, user_id, requested_at)
      SELECT DISTINCT e.tenant_id, r.user_id, r.requested_at FROM event_redactions r
      JOIN events e ON e.user_id = r.user_id AND e.tenant_id <> r.tenant_id
      UNION SELECT e.tenant_id, r.user_id, r.requested_at FROM event_redactions r
      JOIN events e ON e.actor_id = r.user_id AND e.tenant_id <> r.tenant_id
      ON CONFLICT (tenant_id, user_id) DO NOTHING;
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE users DROP COLUMN guest_tenant_ids');
  }
}
