import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds whether the owner of a user's email address has confirmed the address, which `email_verified` of an import only claims. Existing users
 * confirmed the address if they used a link that was sent to it.
 */
export class ConfirmedAddresses1796730000000 implements MigrationInterface {
  readonly name = 'ConfirmedAddresses1796730000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['users', 'users_history'])
      await queryRunner.query(`ALTER TABLE ${table} ADD COLUMN email_confirmed boolean NOT NULL DEFAULT false`);
    await queryRunner.query(
      `UPDATE users u SET email_confirmed = true
       WHERE u.email_verified AND EXISTS (SELECT FROM one_time_tokens t
         WHERE t.tenant_id = u.tenant_id AND t.user_id = u.id AND t.used_at IS NOT NULL AND u.email_key = CASE
           WHEN t.purpose IN ('invitation', 'email_verification', 'password_reset') THEN t.bound_to
           WHEN t.purpose = 'email_change' THEN lower(split_part(t.bound_to, ' ', 2)) END)`,
    );
    await queryRunner.query(
      `UPDATE users_history h SET email_confirmed = true FROM users u
       WHERE u.tenant_id = h.tenant_id AND u.id = h.id AND u.email_confirmed AND h.valid_to = 'infinity'`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['users', 'users_history']) await queryRunner.query(`ALTER TABLE ${table} DROP COLUMN email_confirmed`);
  }
}
