import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The keys of the tables within a tenant, for their histories. */
const HISTORIES: readonly { table: string; key: string; userIndex: boolean }[] = [
  { table: 'groups', key: 'id', userIndex: false },
  { table: 'group_members', key: 'group_id, user_id', userIndex: true },
  { table: 'group_role_assignments', key: 'group_id, role_id', userIndex: false },
];

/** Adds groups of organizations with members and roles, and the histories of their rows. */
export class Groups1796500000000 implements MigrationInterface {
  readonly name = 'Groups1796500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE groups (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      description text,
      external_id text COLLATE "C",
      managed_by text COLLATE "C",
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT groups_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT groups_name_key UNIQUE (tenant_id, organization_id, name),
      CONSTRAINT groups_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
    )`);
    await queryRunner.query('CREATE INDEX groups_organization_idx ON groups (tenant_id, organization_id, id)');
    await queryRunner.query(
      `CREATE UNIQUE INDEX groups_external_id_key ON groups (tenant_id, organization_id, external_id, coalesce(managed_by, ''))
       WHERE external_id IS NOT NULL`,
    );
    // No foreign key to users, because the user of a guest is in another tenant. Every member of a group is a member of its organization.
    await queryRunner.query(`CREATE TABLE group_members (
      tenant_id text COLLATE "C" NOT NULL,
      group_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      added_at timestamptz NOT NULL,
      added_by_type text NOT NULL,
      added_by_id text COLLATE "C",
      CONSTRAINT group_members_pkey PRIMARY KEY (tenant_id, group_id, user_id),
      CONSTRAINT group_members_group_id_fkey FOREIGN KEY (tenant_id, group_id) REFERENCES groups (tenant_id, id),
      CONSTRAINT group_members_user_id_fkey FOREIGN KEY (tenant_id, organization_id, user_id)
        REFERENCES memberships (tenant_id, organization_id, user_id)
    )`);
    await queryRunner.query(
      'CREATE INDEX group_members_user_idx ON group_members (tenant_id, user_id, organization_id, group_id)',
    );
    await queryRunner.query(`CREATE TABLE group_role_assignments (
      tenant_id text COLLATE "C" NOT NULL,
      group_id text COLLATE "C" NOT NULL,
      role_id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      assigned_at timestamptz NOT NULL,
      assigned_by_type text NOT NULL,
      assigned_by_id text COLLATE "C",
      CONSTRAINT group_role_assignments_pkey PRIMARY KEY (tenant_id, group_id, role_id),
      CONSTRAINT group_role_assignments_group_id_fkey FOREIGN KEY (tenant_id, group_id) REFERENCES groups (tenant_id, id)
    )`);
    await queryRunner.query('CREATE INDEX group_role_assignments_role_idx ON group_role_assignments (tenant_id, role_id)');
    await queryRunner.query(
      'CREATE INDEX group_role_assignments_organization_idx ON group_role_assignments (tenant_id, organization_id, group_id)',
    );
    for (const { table, key, userIndex } of HISTORIES) {
      const history = `${table}_history`;
      await queryRunner.query(`CREATE TABLE ${history} (LIKE ${table})`);
      await queryRunner.query(
        `ALTER TABLE ${history} ADD COLUMN valid_from timestamptz NOT NULL, ADD COLUMN valid_to timestamptz NOT NULL`,
      );
      await queryRunner.query(`ALTER TABLE ${history} ADD CONSTRAINT ${history}_pkey PRIMARY KEY (tenant_id, ${key}, valid_to)`);
      await queryRunner.query(`CREATE INDEX ${history}_organization_idx ON ${history} (tenant_id, organization_id, valid_to)`);
      if (userIndex) await queryRunner.query(`CREATE INDEX ${history}_user_idx ON ${history} (tenant_id, user_id, valid_to)`);
      await queryRunner.query(`CREATE INDEX ${history}_ended_idx ON ${history} (valid_to) WHERE valid_to < 'infinity'`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const { table } of HISTORIES.toReversed()) {
      await queryRunner.query(`DROP TABLE ${table}_history`);
      await queryRunner.query(`DROP TABLE ${table}`);
    }
  }
}
