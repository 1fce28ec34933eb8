import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds sign-ins as other users for support. Sessions and events name the user who acts. */
export class Impersonations1797200000000 implements MigrationInterface {
  readonly name = 'Impersonations1797200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE impersonations (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      impersonator_tenant_id text COLLATE "C" NOT NULL,
      impersonator_id text COLLATE "C" NOT NULL,
      impersonator_email text NOT NULL,
      reason text NOT NULL,
      duration_seconds integer NOT NULL,
      approval text NOT NULL,
      status text NOT NULL,
      expires_at timestamptz NOT NULL,
      decided_at timestamptz,
      decided_by_id text COLLATE "C",
      session_id text COLLATE "C",
      started_at timestamptz,
      ends_at timestamptz,
      ended_at timestamptz,
      ended_reason text,
      created_at timestamptz NOT NULL,
      CONSTRAINT impersonations_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT impersonations_organization_id_fkey FOREIGN KEY (tenant_id, organization_id)
        REFERENCES organizations (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT impersonations_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT impersonations_status_check CHECK (status IN ('pending', 'approved', 'active', 'denied', 'expired', 'ended')),
      CONSTRAINT impersonations_duration_check CHECK (duration_seconds BETWEEN 1 AND 3600)
    )`);
    await queryRunner.query('CREATE INDEX impersonations_organization_idx ON impersonations (tenant_id, organization_id, id)');
    await queryRunner.query('CREATE INDEX impersonations_user_idx ON impersonations (tenant_id, user_id, id)');
    await queryRunner.query('CREATE INDEX impersonations_impersonator_idx ON impersonations (impersonator_id)');
    await queryRunner.query(`CREATE UNIQUE INDEX impersonations_open_key ON impersonations (tenant_id, user_id, impersonator_id)
      WHERE status IN ('pending', 'approved', 'active')`);
    await queryRunner.query('ALTER TABLE sessions ADD COLUMN impersonator jsonb');
    await queryRunner.query('ALTER TABLE events ADD COLUMN impersonator_id text COLLATE "C"');
    await queryRunner.query(`CREATE INDEX events_impersonator_idx ON events (impersonator_id, tenant_id, position)
      WHERE position IS NOT NULL AND impersonator_id IS NOT NULL`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX events_impersonator_idx');
    await queryRunner.query('ALTER TABLE events DROP COLUMN impersonator_id');
    // Without the column, such sessions would belong to the user.
    await queryRunner.query('UPDATE sessions SET revoked_at = now() WHERE impersonator IS NOT NULL AND revoked_at IS NULL');
    await queryRunner.query('ALTER TABLE sessions DROP COLUMN impersonator');
    await queryRunner.query('DROP TABLE impersonations');
  }
}
