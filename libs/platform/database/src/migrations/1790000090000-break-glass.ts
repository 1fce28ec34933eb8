import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Break-glass access. An approved request counts as the role `owner` until `ends_at`, by the clock of the database. Permission checks read
 * `break_glass_grants` in addition to `role_assignments`.
 */
export class BreakGlass1790000090000 implements MigrationInterface {
  readonly name = 'BreakGlass1790000090000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE break_glass_requests (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        organization_id text COLLATE "C" NOT NULL,
        requester_tenant_id text COLLATE "C" NOT NULL,
        requester_id text COLLATE "C" NOT NULL,
        requester_email text NOT NULL,
        reason text NOT NULL,
        duration_seconds integer NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        expires_at timestamptz NOT NULL,
        decided_at timestamptz,
        decided_by_type text,
        decided_by_id text COLLATE "C",
        decision_note text,
        ends_at timestamptz,
        ended_at timestamptz,
        ended_reason text,
        created_at timestamptz NOT NULL,
        CONSTRAINT break_glass_requests_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT break_glass_requests_organization_id_fkey FOREIGN KEY (tenant_id, organization_id)
          REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT break_glass_requests_requester_id_fkey FOREIGN KEY (requester_tenant_id, requester_id)
          REFERENCES users (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT break_glass_requests_status_check CHECK (status IN ('pending', 'approved', 'denied', 'expired', 'ended')),
        CONSTRAINT break_glass_requests_duration_check CHECK (duration_seconds BETWEEN 1 AND 14400)
      );
      CREATE INDEX break_glass_requests_organization_idx ON break_glass_requests (tenant_id, organization_id, id);
      CREATE UNIQUE INDEX break_glass_requests_open_key ON break_glass_requests (tenant_id, organization_id, requester_id)
        WHERE status IN ('pending', 'approved');
      CREATE INDEX break_glass_requests_requester_idx ON break_glass_requests (requester_id) WHERE status = 'approved';

      CREATE VIEW break_glass_grants AS
        SELECT b.tenant_id, b.organization_id, b.requester_tenant_id AS user_tenant_id, b.requester_id AS user_id,
          'role_owner' AS role_id, u.status AS user_status
        FROM break_glass_requests b JOIN users u ON u.tenant_id = b.requester_tenant_id AND u.id = b.requester_id
        WHERE b.status = 'approved' AND b.ends_at > now()
          -- A user without any role in the tree can't have break-glass access.
          AND EXISTS (SELECT FROM role_assignments r WHERE r.user_id = b.requester_id AND r.tenant_id = b.tenant_id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP VIEW break_glass_grants; DROP TABLE break_glass_requests;');
  }
}
