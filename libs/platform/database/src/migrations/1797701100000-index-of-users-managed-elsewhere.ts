import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the users in a directory whom another organization manages. */
export class IndexOfUsersManagedElsewhere1797701100000 implements MigrationInterface {
  readonly name = 'IndexOfUsersManagedElsewhere1797701100000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'CREATE INDEX directory_entries_not_managed_idx ON directory_entries (tenant_id, organization_id, user_id) WHERE NOT managed',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX directory_entries_not_managed_idx');
  }
}
