import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions name the identity provider of the sign-in, so that they can't be used while it is disabled, or after it was deleted. */
export class IdentityProvidersOfSessions1796910000000 implements MigrationInterface {
  readonly name = 'IdentityProvidersOfSessions1796910000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['sessions', 'mfa_challenges'])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN identity_provider_id text COLLATE "C"`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['mfa_challenges', 'sessions'])
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN identity_provider_id`);
  }
}
