import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Removes the references that Citus can't enforce, because the rows can be on different nodes: to a user of another tenant, and from a table
 * that is not distributed by tenant. The view reads the status of a user in the tenant of the request (`role_assignments`).
 */
export class KeysWithinATenant1795700000000 implements MigrationInterface {
  readonly name = 'KeysWithinATenant1795700000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      ALTER TABLE break_glass_requests DROP CONSTRAINT break_glass_requests_requester_id_fkey;
      ALTER TABLE oidc_sign_ins DROP CONSTRAINT oidc_sign_ins_identity_provider_id_fkey;
      DROP INDEX break_glass_requests_requester_idx;
      CREATE INDEX break_glass_requests_requester_idx ON break_glass_requests (requester_id);
      CREATE OR REPLACE VIEW break_glass_grants AS
        SELECT b.tenant_id, b.organization_id, b.requester_tenant_id AS user_tenant_id, b.requester_id AS user_id,
          'role_owner' AS role_id,
          (SELECT min(r.user_status) FROM role_assignments r WHERE r.tenant_id = b.tenant_id AND r.user_id = b.requester_id) AS user_status
        FROM break_glass_requests b
        WHERE b.status = 'approved' AND b.ends_at > now()
          -- A user without any role in the tree can't have break-glass access.
          AND EXISTS (SELECT FROM role_assignments r WHERE r.tenant_id = b.tenant_id AND r.user_id = b.requester_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE OR REPLACE VIEW break_glass_grants AS
        SELECT b.tenant_id, b.organization_id, b.requester_tenant_id AS user_tenant_id, b.requester_id AS user_id,
          'role_owner' AS role_id, u.status AS user_status
        FROM break_glass_requests b JOIN users u ON u.tenant_id = b.requester_tenant_id AND u.id = b.requester_id
        WHERE b.status = 'approved' AND b.ends_at > now()
          AND EXISTS (SELECT FROM role_assignments r WHERE r.user_id = b.requester_id AND r.tenant_id = b.tenant_id);
      DROP INDEX break_glass_requests_requester_idx;
      CREATE INDEX break_glass_requests_requester_idx ON break_glass_requests (requester_id) WHERE status = 'approved';
      DELETE FROM oidc_sign_ins s WHERE NOT EXISTS
        (SELECT FROM identity_providers p WHERE p.tenant_id = s.tenant_id AND p.id = s.identity_provider_id);
      ALTER TABLE oidc_sign_ins ADD CONSTRAINT oidc_sign_ins_identity_provider_id_fkey
        FOREIGN KEY (tenant_id, identity_provider_id) REFERENCES identity_providers (tenant_id, id) ON DELETE CASCADE;
      DELETE FROM break_glass_requests b WHERE NOT EXISTS
        (SELECT FROM users u WHERE u.tenant_id = b.requester_tenant_id AND u.id = b.requester_id);
      ALTER TABLE break_glass_requests ADD CONSTRAINT break_glass_requests_requester_id_fkey
        FOREIGN KEY (requester_tenant_id, requester_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE;
    `);
  }
}
