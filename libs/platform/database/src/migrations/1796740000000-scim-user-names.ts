import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes the user names of a connection unique. Deleted users don't reserve theirs. Of users who have the same name already, the newest
 * reserves it. Also records which users of a preview the connection would take over, besides the change of their status.
 */
export class ScimUserNames1796740000000 implements MigrationInterface {
  readonly name = 'ScimUserNames1796740000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE scim_users ADD COLUMN reserves_name boolean NOT NULL DEFAULT true');
    // Two statements, because Citus can't plan them as one.
    await queryRunner.query(
      `UPDATE scim_users s SET reserves_name = false FROM users u
       WHERE u.tenant_id = s.tenant_id AND u.id = s.user_id AND u.status = 'deleted'`,
    );
    await queryRunner.query(
      `UPDATE scim_users s SET reserves_name = false
       FROM (
         SELECT n.tenant_id, n.user_id,
           row_number() OVER (PARTITION BY n.tenant_id, n.connection_id, n.user_name_key ORDER BY v.created_at DESC, v.id DESC) AS place
         FROM scim_users n JOIN users v ON v.tenant_id = n.tenant_id AND v.id = n.user_id
         WHERE v.status <> 'deleted'
       ) d
       WHERE d.tenant_id = s.tenant_id AND d.user_id = s.user_id AND d.place > 1`,
    );
    await queryRunner.query(
      'CREATE UNIQUE INDEX scim_users_user_name_key ON scim_users (tenant_id, connection_id, user_name_key) WHERE reserves_name',
    );
    await queryRunner.query('ALTER TABLE scim_preview_users ADD COLUMN adopts boolean NOT NULL DEFAULT false');
    await queryRunner.query(`UPDATE scim_preview_users SET adopts = true WHERE action = 'adopt'`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE scim_preview_users DROP COLUMN adopts');
    await queryRunner.query('DROP INDEX scim_users_user_name_key');
    await queryRunner.query('ALTER TABLE scim_users DROP COLUMN reserves_name');
  }
}
