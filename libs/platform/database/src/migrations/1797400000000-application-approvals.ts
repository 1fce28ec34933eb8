import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the approval of applications by owners, and clients that describe or register themselves. */
export class ApplicationApprovals1797400000000 implements MigrationInterface {
  readonly name = 'ApplicationApprovals1797400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE oauth_clients ADD COLUMN registration text, ADD COLUMN metadata_uri text COLLATE "C"');
    await queryRunner.query(`CREATE TABLE application_approvals (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      client_id text COLLATE "C" NOT NULL,
      status text NOT NULL,
      decided_at timestamptz,
      decided_by_type text,
      decided_by_id text COLLATE "C",
      note text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT application_approvals_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT application_approvals_client_key UNIQUE (tenant_id, client_id, organization_id),
      CONSTRAINT application_approvals_status_check CHECK (status IN ('pending', 'approved', 'denied', 'revoked')),
      CONSTRAINT application_approvals_organization_id_fkey FOREIGN KEY (tenant_id, organization_id)
        REFERENCES organizations (tenant_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query(
      'CREATE INDEX application_approvals_organization_idx ON application_approvals (tenant_id, organization_id, id)',
    );
    await queryRunner.query(`CREATE TABLE application_approval_requests (
      tenant_id text COLLATE "C" NOT NULL,
      approval_id text COLLATE "C" NOT NULL,
      user_tenant_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      email text NOT NULL,
      reason text NOT NULL,
      created_at timestamptz NOT NULL,
      CONSTRAINT application_approval_requests_pkey PRIMARY KEY (tenant_id, approval_id, user_id),
      CONSTRAINT application_approval_requests_approval_id_fkey FOREIGN KEY (tenant_id, approval_id)
        REFERENCES application_approvals (tenant_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query(
      'CREATE INDEX application_approval_requests_user_idx ON application_approval_requests (tenant_id, user_id)',
    );
    // Few organizations set these. Without any, clients can't describe or register themselves.
    await queryRunner.query(
      `CREATE INDEX organizations_client_domains_idx ON organizations USING gin ((settings_overrides -> 'clientIdMetadataDomains'))
       WHERE settings_overrides ? 'clientIdMetadataDomains'`,
    );
    await queryRunner.query(
      `CREATE INDEX organizations_client_registration_idx ON organizations (id)
       WHERE settings_overrides @> '{"dynamicClientRegistration": true}'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX organizations_client_registration_idx');
    await queryRunner.query('DROP INDEX organizations_client_domains_idx');
    await queryRunner.query('DROP TABLE application_approval_requests');
    await queryRunner.query('DROP TABLE application_approvals');
    await queryRunner.query(`DELETE FROM token_hashes WHERE kind = 'oauth_client' AND subject_id IN
      (SELECT id FROM oauth_clients WHERE registration IS NOT NULL)`);
    await queryRunner.query('DELETE FROM oauth_clients WHERE registration IS NOT NULL');
    await queryRunner.query('ALTER TABLE oauth_clients DROP COLUMN registration, DROP COLUMN metadata_uri');
  }
}
