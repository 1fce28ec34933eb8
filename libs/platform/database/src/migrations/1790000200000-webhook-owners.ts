import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Columns of webhooks: the owner (the user who last changed the events or the address), and a problem of the owner. */
export class WebhookOwners1790000200000 implements MigrationInterface {
  readonly name = 'WebhookOwners1790000200000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE webhooks
      ADD COLUMN owner_tenant_id text COLLATE "C",
      ADD COLUMN owner_id text COLLATE "C",
      ADD COLUMN flag text,
      ADD COLUMN flagged_at timestamptz,
      ADD CONSTRAINT webhooks_flag_check CHECK (flag IN ('owner_suspended', 'owner_deleted', 'permissions_lost')),
      ADD CONSTRAINT webhooks_flagged_check CHECK ((flag IS NULL) = (flagged_at IS NULL)),
      DROP CONSTRAINT webhooks_disabled_by_check,
      ADD CONSTRAINT webhooks_disabled_by_check CHECK (disabled_by IN ('hand', 'failures', 'gone', 'owner'))`);
    await queryRunner.query(
      `CREATE INDEX webhooks_owned_idx ON webhooks (tenant_id, id) WHERE owner_id IS NOT NULL AND deleted_at IS NULL`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`UPDATE webhooks SET disabled_by = 'hand' WHERE disabled_by = 'owner'`);
    await queryRunner.query(`DROP INDEX webhooks_owned_idx;
      ALTER TABLE webhooks DROP CONSTRAINT webhooks_disabled_by_check, DROP COLUMN flagged_at, DROP COLUMN flag, DROP COLUMN owner_id, DROP COLUMN owner_tenant_id,
        ADD CONSTRAINT webhooks_disabled_by_check CHECK (disabled_by IN ('hand', 'failures', 'gone'))`);
  }
}
