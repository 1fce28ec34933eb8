import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The search for an exact email address gets an index of its own. The index by organization stays for lists in the order of addresses. */
export class IndexOfEmailAddresses1796250000000 implements MigrationInterface {
  readonly name = 'IndexOfEmailAddresses1796250000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX directory_entries_exact_email_idx ON directory_entries USING hash (email_key)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX directory_entries_exact_email_idx');
  }
}
