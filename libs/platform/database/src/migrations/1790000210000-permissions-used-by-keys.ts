import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The permissions at the time of this migration, because a migration must not depend on later code. */
const PERMISSIONS = [
  'users:read',
  'users:write',
  'users:delete',
  'organizations:read',
  'organizations:write',
  'organizations:delete',
  'members:read',
  'members:write',
  'roles:read',
  'roles:write',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'events:read',
  'sessions:read',
  'sessions:write',
  'break_glass:request',
  'break_glass:approve',
];

/** API keys get the day of the last use of each permission. */
export class PermissionsUsedByKeys1790000210000 implements MigrationInterface {
  readonly name = 'PermissionsUsedByKeys1790000210000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE api_keys ADD COLUMN permissions_used jsonb NOT NULL DEFAULT '{}'`);
    // The last use of existing permissions is unknown, so they count as used today.
    await queryRunner.query(
      `UPDATE api_keys SET permissions_used = (
      SELECT jsonb_object_agg(permission, to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD')) FROM unnest($1::text[]) AS permission)`,
      [PERMISSIONS],
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE api_keys DROP COLUMN permissions_used');
  }
}
