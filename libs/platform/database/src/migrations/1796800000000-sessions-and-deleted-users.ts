import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores for how long a session was idle, for organizations with a shorter idle timeout than the session. Deleted users are found by their
 * email addresses and external ids.
 */
export class SessionsAndDeletedUsers1796800000000 implements MigrationInterface {
  readonly name = 'SessionsAndDeletedUsers1796800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sessions ADD COLUMN longest_idle_seconds integer NOT NULL DEFAULT 0');
    await queryRunner.query(`CREATE INDEX users_deleted_email_idx ON users (tenant_id, email_key) WHERE status = 'deleted'`);
    await queryRunner.query(
      `CREATE INDEX users_deleted_external_id_idx ON users (tenant_id, external_id) WHERE external_id IS NOT NULL AND status = 'deleted'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX users_deleted_external_id_idx');
    await queryRunner.query('DROP INDEX users_deleted_email_idx');
    await queryRunner.query('ALTER TABLE sessions DROP COLUMN longest_idle_seconds');
  }
}
