import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Reads of a tree as of a moment read the versions of its organizations, instead of all organizations of the tenant. */
export class TreeInTheHistory1796450000000 implements MigrationInterface {
  readonly name = 'TreeInTheHistory1796450000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX organizations_history_ancestors_idx ON organizations_history USING gin (ancestor_ids)');
    await queryRunner.query(
      'CREATE INDEX organizations_history_parent_idx ON organizations_history (tenant_id, parent_id, valid_to)',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX organizations_history_parent_idx');
    await queryRunner.query('DROP INDEX organizations_history_ancestors_idx');
  }
}
