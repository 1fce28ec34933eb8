import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions know when their user last proved who they are, and challenges for which session one proves it again. */
export class SessionReauthentication1790000190000 implements MigrationInterface {
  readonly name = 'SessionReauthentication1790000190000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Without touching a row: sessions that are open need a new proof. The default stays for processes of the version before.
    await queryRunner.query(
      `ALTER TABLE sessions ADD COLUMN authenticated_at timestamptz NOT NULL DEFAULT '1970-01-01T00:00:00Z'`,
    );
    await queryRunner.query(`ALTER TABLE sessions ALTER COLUMN authenticated_at SET DEFAULT now()`);
    await queryRunner.query(`ALTER TABLE mfa_challenges ADD COLUMN session_id text COLLATE "C"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      `ALTER TABLE mfa_challenges DROP COLUMN session_id; ALTER TABLE sessions DROP COLUMN authenticated_at`,
    );
  }
}
