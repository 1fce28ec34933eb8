import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Columns of API keys: the owner (the user who created the key, directly or with another key), a problem of the owner, the address of the
 * last use, and allowed networks.
 */
export class ApiKeyOwners1790000180000 implements MigrationInterface {
  readonly name = 'ApiKeyOwners1790000180000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys
      ADD COLUMN owner_tenant_id text COLLATE "C",
      ADD COLUMN owner_id text COLLATE "C",
      ADD COLUMN flag text,
      ADD COLUMN flagged_at timestamptz,
      ADD COLUMN disabled_at timestamptz,
      ADD COLUMN last_used_ip text,
      ADD COLUMN allowed_networks text[],
      ADD CONSTRAINT api_keys_flag_check CHECK (flag IN ('owner_suspended', 'owner_deleted', 'permissions_lost')),
      ADD CONSTRAINT api_keys_flagged_check CHECK ((flag IS NULL) = (flagged_at IS NULL) AND (disabled_at IS NULL OR flag IS NOT NULL))`);
    await queryRunner.query(
      `UPDATE api_keys k SET owner_tenant_id = u.tenant_id, owner_id = u.id FROM users u
       WHERE k.created_by_type = 'user' AND u.id = k.created_by_id`,
    );
    await queryRunner.query(
      `CREATE INDEX api_keys_owned_idx ON api_keys (tenant_id, id) WHERE owner_id IS NOT NULL AND revoked_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`DROP INDEX api_keys_owned_idx;
      ALTER TABLE api_keys DROP COLUMN allowed_networks, DROP COLUMN last_used_ip, DROP COLUMN disabled_at, DROP COLUMN flagged_at, DROP COLUMN flag,
        DROP COLUMN owner_id, DROP COLUMN owner_tenant_id`);
  }
}
