import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds links with which a person without an account sets up an organization. */
export class SetupLinks1796550000000 implements MigrationInterface {
  readonly name = 'SetupLinks1796550000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE setup_links (
      tenant_id text COLLATE "C" NOT NULL,
      id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      steps text[] NOT NULL,
      owner_tenant_id text COLLATE "C",
      owner_id text COLLATE "C",
      expires_at timestamptz NOT NULL,
      opened_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT setup_links_pkey PRIMARY KEY (tenant_id, id),
      CONSTRAINT setup_links_organization_id_fkey FOREIGN KEY (tenant_id, organization_id) REFERENCES organizations (tenant_id, id)
    )`);
    await queryRunner.query('CREATE INDEX setup_links_organization_idx ON setup_links (tenant_id, organization_id, id)');
    await this.replaceKindCheck(queryRunner, ['api_key', 'session', 'one_time_token', 'setup_link']);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DELETE FROM token_hashes WHERE kind = 'setup_link'`);
    await this.replaceKindCheck(queryRunner, ['api_key', 'session', 'one_time_token']);
    await queryRunner.query('DROP TABLE setup_links');
  }

  private async replaceKindCheck(queryRunner: QueryRunner, kinds: readonly string[]): Promise<void> {
    await queryRunner.query('ALTER TABLE token_hashes DROP CONSTRAINT token_hashes_kind_check');
    const list = kinds.map((kind) => `'${kind}'`).join(', ');
    await queryRunner.query(`ALTER TABLE token_hashes ADD CONSTRAINT token_hashes_kind_check CHECK (kind IN (${list}))`);
  }
}
