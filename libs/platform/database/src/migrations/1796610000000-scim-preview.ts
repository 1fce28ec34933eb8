import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the preview of SCIM connections, and the limits that stop a connection. */
export class ScimPreview1796610000000 implements MigrationInterface {
  readonly name = 'ScimPreview1796610000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE scim_connections
      ADD COLUMN mode text NOT NULL DEFAULT 'active'
        CONSTRAINT scim_connections_mode_check CHECK (mode IN ('preview', 'applying', 'active', 'stopped', 'rolling_back')),
      ADD COLUMN max_removals integer,
      ADD COLUMN max_removal_percent integer,
      ADD COLUMN limits_paused_until timestamptz,
      ADD COLUMN stopped_at timestamptz,
      ADD COLUMN restored_users integer NOT NULL DEFAULT 0`);
    await queryRunner.query(
      `CREATE INDEX scim_connections_job_idx ON scim_connections (tenant_id, id) WHERE mode IN ('applying', 'rolling_back')`,
    );
    // The last suspension or deletion of each user by the connection.
    await queryRunner.query(`CREATE TABLE scim_removals (
      tenant_id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      kind text NOT NULL,
      removed_at timestamptz NOT NULL,
      CONSTRAINT scim_removals_pkey PRIMARY KEY (tenant_id, connection_id, user_id),
      CONSTRAINT scim_removals_connection_id_fkey FOREIGN KEY (tenant_id, connection_id)
        REFERENCES scim_connections (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT scim_removals_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query('CREATE INDEX scim_removals_time_idx ON scim_removals (tenant_id, connection_id, removed_at)');
    await queryRunner.query('CREATE INDEX scim_removals_user_idx ON scim_removals (tenant_id, user_id)');
    // What a connection in preview would do. No foreign key to users, because new users don't exist yet.
    await queryRunner.query(`CREATE TABLE scim_preview_users (
      tenant_id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      action text NOT NULL,
      deleted boolean NOT NULL,
      active boolean NOT NULL,
      email text NOT NULL,
      email_key text COLLATE "C" NOT NULL,
      email_keys text[] NOT NULL,
      user_name text NOT NULL,
      user_name_key text COLLATE "C" NOT NULL,
      external_id text COLLATE "C",
      fields jsonb NOT NULL,
      attributes jsonb NOT NULL,
      error text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT scim_preview_users_pkey PRIMARY KEY (tenant_id, connection_id, user_id),
      CONSTRAINT scim_preview_users_connection_id_fkey FOREIGN KEY (tenant_id, connection_id)
        REFERENCES scim_connections (tenant_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query(
      'CREATE INDEX scim_preview_users_user_name_idx ON scim_preview_users (tenant_id, connection_id, user_name_key)',
    );
    await queryRunner.query(
      'CREATE INDEX scim_preview_users_email_idx ON scim_preview_users (tenant_id, connection_id, email_key)',
    );
    await queryRunner.query(
      'CREATE INDEX scim_preview_users_external_id_idx ON scim_preview_users (tenant_id, connection_id, external_id) WHERE external_id IS NOT NULL',
    );
    await queryRunner.query(
      'CREATE INDEX scim_preview_users_email_keys_idx ON scim_preview_users USING gin (email_keys) WITH (gin_pending_list_limit = 128)',
    );
    await queryRunner.query(`CREATE TABLE scim_preview_groups (
      tenant_id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      group_id text COLLATE "C" NOT NULL,
      action text NOT NULL,
      deleted boolean NOT NULL,
      display_name text NOT NULL,
      external_id text COLLATE "C",
      member_ids text[] NOT NULL,
      members_added integer NOT NULL,
      members_removed integer NOT NULL,
      error text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT scim_preview_groups_pkey PRIMARY KEY (tenant_id, connection_id, group_id),
      CONSTRAINT scim_preview_groups_connection_id_fkey FOREIGN KEY (tenant_id, connection_id)
        REFERENCES scim_connections (tenant_id, id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE scim_preview_groups');
    await queryRunner.query('DROP TABLE scim_preview_users');
    await queryRunner.query('DROP TABLE scim_removals');
    await queryRunner.query('DROP INDEX scim_connections_job_idx');
    await queryRunner.query(`ALTER TABLE scim_connections
      DROP COLUMN mode, DROP COLUMN max_removals, DROP COLUMN max_removal_percent, DROP COLUMN limits_paused_until,
      DROP COLUMN stopped_at, DROP COLUMN restored_users`);
  }
}
