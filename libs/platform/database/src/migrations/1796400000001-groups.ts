import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Groups1796400000001 implements MigrationInterface {
  readonly name = 'Groups1796400000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE groups (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        organization_id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        description text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL,
        version integer NOT NULL DEFAULT 1,
        CONSTRAINT groups_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT groups_name_key UNIQUE (tenant_id, organization_id, name),
        CONSTRAINT groups_organization_id_fkey FOREIGN KEY (tenant_id, organization_id)
          REFERENCES organizations (tenant_id, id)
      );
      CREATE INDEX groups_organization_idx ON groups (tenant_id, organization_id, id);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE groups');
  }
}
