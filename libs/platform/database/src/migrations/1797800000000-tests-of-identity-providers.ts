import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether somebody has signed in with the current connection of an identity provider. Providers with linked accounts have worked. */
export class TestsOfIdentityProviders1797800000000 implements MigrationInterface {
  readonly name = 'TestsOfIdentityProviders1797800000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE identity_providers ADD COLUMN tested_at timestamptz');
    await queryRunner.query(`UPDATE identity_providers p SET tested_at = p.updated_at
      WHERE EXISTS (SELECT FROM user_identities i WHERE i.tenant_id = p.tenant_id AND i.identity_provider_id = p.id)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE identity_providers DROP COLUMN tested_at');
  }
}
