import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the APIs of which a client is the program. Only tokens for these can be exchanged. */
export class AudiencesOfOauthClients1797500000000 implements MigrationInterface {
  readonly name = 'AudiencesOfOauthClients1797500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE oauth_clients ADD COLUMN audiences text[] NOT NULL DEFAULT '{}'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE oauth_clients DROP COLUMN audiences');
  }
}
