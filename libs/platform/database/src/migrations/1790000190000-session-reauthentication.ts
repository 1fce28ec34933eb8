import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions get the time of the last authentication. Challenges get the session that they reauthenticate. */
export class SessionReauthentication1790000190000 implements MigrationInterface {
  readonly name = 'SessionReauthentication1790000190000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // Updates no rows: existing sessions require a new authentication. The default is for processes of the previous version.
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
