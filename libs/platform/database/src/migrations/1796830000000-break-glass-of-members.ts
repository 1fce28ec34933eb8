import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Break-glass access works only while the user has a role in the organization or an ancestor, not anywhere in the tenant. Citus can plan the
 * view only if the conditions with columns of `b` are in WHERE.
 */
export class BreakGlassOfMembers1796830000000 implements MigrationInterface {
  readonly name = 'BreakGlassOfMembers1796830000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE VIEW break_glass_grants AS
        SELECT b.tenant_id, b.organization_id, b.requester_tenant_id AS user_tenant_id, b.requester_id AS user_id,
          'role_owner' AS role_id,
          (SELECT min(r.user_status) FROM role_assignments r WHERE r.tenant_id = b.tenant_id AND r.user_id = b.requester_id) AS user_status
        FROM break_glass_requests b
        WHERE b.status = 'approved' AND b.ends_at > now()
          AND EXISTS (SELECT FROM role_assignments r, organizations o
            WHERE o.tenant_id = b.tenant_id AND o.id = b.organization_id AND r.tenant_id = b.tenant_id AND r.user_id = b.requester_id AND r.organization_id = ANY (o.ancestor_ids || o.id))
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE VIEW break_glass_grants AS
        SELECT b.tenant_id, b.organization_id, b.requester_tenant_id AS user_tenant_id, b.requester_id AS user_id,
          'role_owner' AS role_id,
          (SELECT min(r.user_status) FROM role_assignments r WHERE r.tenant_id = b.tenant_id AND r.user_id = b.requester_id) AS user_status
        FROM break_glass_requests b
        WHERE b.status = 'approved' AND b.ends_at > now()
          AND EXISTS (SELECT FROM role_assignments r WHERE r.tenant_id = b.tenant_id AND r.user_id = b.requester_id)
    `);
  }
}
