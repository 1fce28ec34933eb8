import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The previous systems that confirm passwords of users who have none here. */
export class PasswordMigrations1797720000000 implements MigrationInterface {
  readonly name = 'PasswordMigrations1797720000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE password_migrations (
      tenant_id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      url text NOT NULL,
      secret_sealed text NOT NULL,
      ends_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT password_migrations_pkey PRIMARY KEY (tenant_id, organization_id),
      CONSTRAINT password_migrations_organization_id_fkey FOREIGN KEY (tenant_id, organization_id)
        REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE password_migrations');
  }
}
