import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds SCIM connections with their tokens, and which connection provisions a user. */
export class Scim1796600000000 implements MigrationInterface {
  readonly name = 'Scim1796600000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE scim_connections (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      adopt_existing_users boolean NOT NULL,
      allow_local_changes boolean NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT scim_connections_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT scim_connections_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
    )`);
    await queryRunner.query(
      'CREATE INDEX scim_connections_organization_idx ON scim_connections (tenant_id, organization_id, id)',
    );
    await queryRunner.query(`CREATE TABLE scim_tokens (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      name text NOT NULL,
      last4 text NOT NULL,
      allowed_networks text[],
      rotated_from_id text COLLATE "C",
      expires_at timestamptz,
      revoked_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT scim_tokens_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT scim_tokens_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES scim_connections (tenant_id, id)
    )`);
    await queryRunner.query('CREATE INDEX scim_tokens_connection_idx ON scim_tokens (tenant_id, connection_id, id)');
    await queryRunner.query('ALTER TABLE users ADD COLUMN managed_by text COLLATE "C"');
    await queryRunner.query('ALTER TABLE users_history ADD COLUMN managed_by text COLLATE "C"');
    await queryRunner.query(
      'CREATE INDEX users_managed_by_idx ON users (tenant_id, managed_by, id) WHERE managed_by IS NOT NULL',
    );
    // What the connection sent, and what it identifies the user by. All other attributes are in the row of the user.
    await queryRunner.query(`CREATE TABLE scim_users (
      tenant_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      connection_id text COLLATE "C" NOT NULL,
      user_name text NOT NULL,
      user_name_key text COLLATE "C" NOT NULL,
      external_id text COLLATE "C",
      email_keys text[] NOT NULL,
      attributes jsonb NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT scim_users_pkey PRIMARY KEY (tenant_id, user_id),
      CONSTRAINT scim_users_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE,
      CONSTRAINT scim_users_connection_id_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES scim_connections (tenant_id, id)
        ON DELETE CASCADE
    )`);
    await queryRunner.query('CREATE INDEX scim_users_user_name_idx ON scim_users (tenant_id, connection_id, user_name_key)');
    await queryRunner.query(
      'CREATE INDEX scim_users_external_id_idx ON scim_users (tenant_id, connection_id, external_id) WHERE external_id IS NOT NULL',
    );
    await queryRunner.query('CREATE INDEX scim_users_connection_idx ON scim_users (tenant_id, connection_id, user_id)');
    await queryRunner.query(
      'CREATE INDEX scim_users_email_keys_idx ON scim_users USING gin (email_keys) WITH (gin_pending_list_limit = 128)',
    );
    await this.replaceKindCheck(queryRunner, ['api_key', 'session', 'one_time_token', 'setup_link', 'scim_token']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM token_hashes WHERE kind = 'scim_token'`);
    await this.replaceKindCheck(queryRunner, ['api_key', 'session', 'one_time_token', 'setup_link']);
    await queryRunner.query('DROP TABLE scim_users');
    await queryRunner.query('ALTER TABLE users_history DROP COLUMN managed_by');
    await queryRunner.query('ALTER TABLE users DROP COLUMN managed_by');
    await queryRunner.query('DROP TABLE scim_tokens');
    await queryRunner.query('DROP TABLE scim_connections');
  }

  private async replaceKindCheck(queryRunner: QueryRunner, kinds: readonly string[]): Promise<void> {
    await queryRunner.query('ALTER TABLE token_hashes DROP CONSTRAINT token_hashes_kind_check');
    const list = kinds.map((kind) => `'${kind}'`).join(', ');
    await queryRunner.query(`ALTER TABLE token_hashes ADD CONSTRAINT token_hashes_kind_check CHECK (kind IN (${list}))`);
  }
}
