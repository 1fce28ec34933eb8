import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds OAuth clients with their secrets, resources, grants, and the short-lived codes and tokens. Signing keys get an algorithm. */
export class OAuth1796900000000 implements MigrationInterface {
  readonly name = 'OAuth1796900000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    // The tenant "platform" has the clients of the platform, which belong to no organization.
    await queryRunner.query(`CREATE TABLE oauth_clients (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C",
      name text NOT NULL,
      type text NOT NULL,
      enabled boolean NOT NULL,
      redirect_uris text[] NOT NULL,
      post_logout_redirect_uris text[] NOT NULL,
      origins text[] NOT NULL,
      grant_types text[] NOT NULL,
      scopes text[] NOT NULL,
      resource_scopes jsonb NOT NULL,
      authentication text NOT NULL,
      jwks jsonb,
      jwks_uri text,
      id_token_algorithm text NOT NULL,
      logo_uri text,
      home_page_uri text,
      terms_uri text,
      privacy_uri text,
      visibility text NOT NULL,
      consent text NOT NULL,
      allowed_networks text[],
      expires_at timestamptz,
      created_by_type text NOT NULL,
      created_by_id text COLLATE "C",
      owner_tenant_id text COLLATE "C",
      owner_id text COLLATE "C",
      flag text,
      flagged_at timestamptz,
      disabled_at timestamptz,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT oauth_clients_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT oauth_clients_platform_check CHECK ((organization_id IS NULL) = (tenant_id = 'platform')),
      CONSTRAINT oauth_clients_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
    )`);
    await queryRunner.query('CREATE INDEX oauth_clients_organization_idx ON oauth_clients (tenant_id, organization_id, id)');
    await queryRunner.query(
      'CREATE INDEX oauth_clients_owner_idx ON oauth_clients (tenant_id, owner_id) WHERE owner_id IS NOT NULL',
    );
    await queryRunner.query(`CREATE TABLE oauth_client_secrets (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      client_id text COLLATE "C" NOT NULL,
      hash bytea NOT NULL,
      last4 text NOT NULL,
      expires_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT oauth_client_secrets_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT oauth_client_secrets_client_id_fkey FOREIGN KEY (tenant_id, client_id) REFERENCES oauth_clients (tenant_id, id)
        ON DELETE CASCADE
    )`);
    await queryRunner.query('CREATE INDEX oauth_client_secrets_client_idx ON oauth_client_secrets (tenant_id, client_id, id)');
    await queryRunner.query(`CREATE TABLE oauth_resources (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C",
      identifier text COLLATE "C" NOT NULL,
      name text NOT NULL,
      scopes jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT oauth_resources_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT oauth_resources_platform_check CHECK ((organization_id IS NULL) = (tenant_id = 'platform')),
      CONSTRAINT oauth_resources_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
    )`);
    await queryRunner.query('CREATE INDEX oauth_resources_organization_idx ON oauth_resources (tenant_id, organization_id, id)');
    // A grant is in the tenant of the organization for which the user granted it. The user and the client can be in other tenants.
    await queryRunner.query(`CREATE TABLE oauth_grants (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      client_tenant_id text COLLATE "C" NOT NULL,
      client_id text COLLATE "C" NOT NULL,
      user_tenant_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      scopes text[] NOT NULL,
      resource_scopes jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      last_used_at timestamptz,
      revoked_at timestamptz,
      CONSTRAINT oauth_grants_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT oauth_grants_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
    )`);
    await queryRunner.query(
      'CREATE UNIQUE INDEX oauth_grants_live_key ON oauth_grants (tenant_id, organization_id, user_id, client_id) WHERE revoked_at IS NULL',
    );
    await queryRunner.query('CREATE INDEX oauth_grants_user_idx ON oauth_grants (tenant_id, user_id, id)');
    await queryRunner.query('CREATE INDEX oauth_grants_client_idx ON oauth_grants (tenant_id, client_id, id)');
    // Codes, tokens and authorization requests. Found by the hash of their value.
    await queryRunner.query(`CREATE TABLE oauth_artifacts (
      id_hash bytea NOT NULL,
      tenant_id text COLLATE "C" NOT NULL,
      kind text NOT NULL,
      payload jsonb NOT NULL,
      sign_in_id text COLLATE "C",
      consumed_at timestamptz,
      expires_at timestamptz NOT NULL,
      CONSTRAINT oauth_artifacts_pkey PRIMARY KEY (id_hash)
    )`);
    await queryRunner.query(
      'CREATE INDEX oauth_artifacts_sign_in_idx ON oauth_artifacts (sign_in_id) WHERE sign_in_id IS NOT NULL',
    );
    await queryRunner.query('CREATE INDEX oauth_artifacts_expires_idx ON oauth_artifacts (expires_at)');
    await queryRunner.query(`ALTER TABLE signing_keys ADD COLUMN algorithm text NOT NULL DEFAULT 'ES256'`);
    await this.replaceKindCheck(queryRunner, [...KINDS, 'oauth_client', 'oauth_resource']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM token_hashes WHERE kind IN ('oauth_client', 'oauth_resource')`);
    await this.replaceKindCheck(queryRunner, KINDS);
    await queryRunner.query(`DELETE FROM signing_keys WHERE algorithm <> 'ES256'`);
    await queryRunner.query('ALTER TABLE signing_keys DROP COLUMN algorithm');
    for (const table of ['oauth_artifacts', 'oauth_grants', 'oauth_resources', 'oauth_client_secrets', 'oauth_clients'])
      await queryRunner.query(`DROP TABLE ${table}`);
  }

  private async replaceKindCheck(queryRunner: QueryRunner, kinds: readonly string[]): Promise<void> {
    await queryRunner.query('ALTER TABLE token_hashes DROP CONSTRAINT token_hashes_kind_check');
    const list = kinds.map((kind) => `'${kind}'`).join(', ');
    await queryRunner.query(`ALTER TABLE token_hashes ADD CONSTRAINT token_hashes_kind_check CHECK (kind IN (${list}))`);
  }
}

const KINDS = ['api_key', 'session', 'one_time_token', 'setup_link', 'scim_token'];
