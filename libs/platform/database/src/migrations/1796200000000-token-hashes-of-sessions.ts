import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sessions get the hash of their current token. A lookup finds the tenant and the session of a token in `token_hashes`, which can be on
 * another node, and then checks the hash in the session, so that a replaced token is not accepted. The hash of existing sessions is null
 * until the token is replaced.
 */
export class TokenHashesOfSessions1796200000000 implements MigrationInterface {
  readonly name = 'TokenHashesOfSessions1796200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sessions ADD COLUMN token_hash bytea');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE sessions DROP COLUMN token_hash');
  }
}
