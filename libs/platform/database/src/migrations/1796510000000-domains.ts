import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds domains of organizations, and the owner of each verified domain in the installation. */
export class Domains1796510000000 implements MigrationInterface {
  readonly name = 'Domains1796510000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE domains (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      name text COLLATE "C" NOT NULL,
      token text NOT NULL,
      status text NOT NULL CHECK (status IN ('pending', 'verified', 'failed')),
      last_error text CHECK (last_error IN ('record_missing', 'dns_unavailable', 'domain_taken')),
      verified_at timestamptz,
      checked_at timestamptz,
      failing_since timestamptz,
      next_check_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1,
      CONSTRAINT domains_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT domains_name_key UNIQUE (tenant_id, organization_id, name),
      CONSTRAINT domains_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
    )`);
    await queryRunner.query('CREATE INDEX domains_next_check_idx ON domains (next_check_at) WHERE next_check_at IS NOT NULL');
    await queryRunner.query(`CREATE TABLE verified_domains (
      name text COLLATE "C" NOT NULL,
      tenant_id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      domain_id text COLLATE "C" NOT NULL,
      CONSTRAINT verified_domains_pkey PRIMARY KEY (name)
    )`);
    await queryRunner.query('CREATE INDEX verified_domains_tenant_idx ON verified_domains (tenant_id, organization_id)');
    // Identity providers stay trusted for the domains of before.
    for (const table of ['identity_providers', 'identity_providers_history']) {
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN exempt_domains text[] NOT NULL DEFAULT '{}'`);
      await queryRunner.query(`UPDATE ${table} SET exempt_domains = trusted_domains WHERE trusted_domains <> '{}'`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['identity_providers_history', 'identity_providers'])
      await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN exempt_domains`);
    await queryRunner.query('DROP TABLE verified_domains');
    await queryRunner.query('DROP TABLE domains');
  }
}
