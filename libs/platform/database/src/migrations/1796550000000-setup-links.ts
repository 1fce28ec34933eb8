import type { MigrationInterface, QueryRunner } from 'typeorm';

export class SetupLinks1796550000000 implements MigrationInterface {
  readonly name = 'SetupLinks1796550000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE setup_links (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        organization_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        description text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        version integer NOT NULL DEFAULT 1,
        CONSTRAINT setup_links_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT setup_links_name_key UNIQUE (tenant_id, organization_id, name),
        CONSTRAINT setup_links_organization_id_fkey FOREIGN KEY (tenant_id, organization_id)
          REFERENCES organizations (tenant_id, id)
      );
      CREATE INDEX setup_links_organization_idx ON setup_links (tenant_id, organization_id, id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE setup_links');
  }
}
