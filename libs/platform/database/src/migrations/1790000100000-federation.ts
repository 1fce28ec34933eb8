import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-in with identity providers: their email domains, linked accounts and pending sign-ins. */
export class Federation1790000100000 implements MigrationInterface {
  readonly name = 'Federation1790000100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
ALTER TABLE identity_providers
  ADD COLUMN trusted_domains text[] NOT NULL DEFAULT '{}',
  ADD COLUMN mfa_trusted boolean NOT NULL DEFAULT false;

-- A subject is unique only within its issuer (OpenID Connect Core 1.0, section 2). A change of the issuer therefore ends the links.
ALTER TABLE user_identities
  ADD COLUMN issuer text COLLATE "C" NOT NULL DEFAULT '',
  DROP CONSTRAINT user_identities_pkey,
  ADD CONSTRAINT user_identities_pkey PRIMARY KEY (tenant_id, identity_provider_id, issuer, external_id),
  ADD CONSTRAINT user_identities_identity_provider_id_fkey FOREIGN KEY (tenant_id, identity_provider_id)
    REFERENCES identity_providers (tenant_id, id) ON DELETE CASCADE;

-- Sign-ins that wait for the response of the provider, by the SHA-256 of the state. The response contains no tenant.
CREATE TABLE oidc_sign_ins (
  state_hash bytea NOT NULL,
  tenant_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  identity_provider_id text COLLATE "C" NOT NULL,
  binding_hash bytea NOT NULL,
  checks_sealed text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT oidc_sign_ins_pkey PRIMARY KEY (state_hash),
  CONSTRAINT oidc_sign_ins_identity_provider_id_fkey FOREIGN KEY (tenant_id, identity_provider_id)
    REFERENCES identity_providers (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX oidc_sign_ins_identity_provider_idx ON oidc_sign_ins (tenant_id, identity_provider_id);
CREATE INDEX oidc_sign_ins_expires_idx ON oidc_sign_ins (expires_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
DROP TABLE oidc_sign_ins;
-- The previous key allows only one link, so only the newest is kept.
DELETE FROM user_identities i USING user_identities newer
WHERE newer.tenant_id = i.tenant_id AND newer.identity_provider_id = i.identity_provider_id AND newer.external_id = i.external_id
  AND (newer.created_at, newer.issuer) > (i.created_at, i.issuer);
ALTER TABLE user_identities
  DROP CONSTRAINT user_identities_identity_provider_id_fkey,
  DROP CONSTRAINT user_identities_pkey,
  DROP COLUMN issuer,
  ADD CONSTRAINT user_identities_pkey PRIMARY KEY (tenant_id, identity_provider_id, external_id);
ALTER TABLE identity_providers DROP COLUMN mfa_trusted, DROP COLUMN trusted_domains;
    `);
  }
}
