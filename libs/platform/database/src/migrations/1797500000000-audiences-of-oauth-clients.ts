import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the APIs that a client serves. It can exchange only access tokens for these. */
export class AudiencesOfOauthClients1797500000000 implements MigrationInterface {
  readonly name = 'AudiencesOfOauthClients1797500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE oauth_clients ADD COLUMN audiences text[] NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE oauth_clients DROP COLUMN audiences');
  }
}
