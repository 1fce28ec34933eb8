import type { MigrationInterface, QueryRunner } from 'typeorm';

/** OAuth clients can be limited to pushed authorization requests (RFC 9126), and to tokens that are bound to a key (RFC 9449). */
export class OAuthClientProofs1797100000000 implements MigrationInterface {
  readonly name = 'OAuthClientProofs1797100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS)
      await queryRunner.query(`ALTER TABLE oauth_clients ADD COLUMN ${column} boolean NOT NULL DEFAULT false`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const column of COLUMNS) await queryRunner.query(`ALTER TABLE oauth_clients DROP COLUMN ${column}`);
  }
}

const COLUMNS = ['require_pushed_authorization_requests', 'dpop_bound_access_tokens'];
