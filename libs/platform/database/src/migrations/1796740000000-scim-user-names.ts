import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Makes the user names of a connection unique. Deleted users don't reserve theirs. Of users who have the same name already, the newest
 * reserves it. Also records which users of a preview the connection would take over, besides the change of their status.
 */
export class ScimUserNames1796740000000 implements MigrationInterface {
  readonly name = 'ScimUserNames1796740000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE scim_users ADD COLUMN reserves_name boolean NOT NULL DEFAULT true');
    await queryRunner.query(
      `UPDATE scim_users s SET reserves_name = false FROM users u
       WHERE u.tenant_id = s.tenant_id AND u.id = s.user_id AND (u.status = 'deleted' OR EXISTS (
         SELECT FROM scim_users n JOIN users v ON v.tenant_id = n.tenant_id AND v.id = n.user_id
         WHERE n.tenant_id = s.tenant_id AND n.connection_id = s.connection_id AND n.user_name_key = s.user_name_key
           AND v.status <> 'deleted' AND (v.created_at, v.id) > (u.created_at, u.id)))`,
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
