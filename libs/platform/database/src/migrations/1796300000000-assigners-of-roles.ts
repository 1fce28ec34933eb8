import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Role assignments get the actor who assigned the role. The columns of existing assignments are null, because the actor is unknown. */
export class AssignersOfRoles1796300000000 implements MigrationInterface {
  readonly name = 'AssignersOfRoles1796300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(
      'ALTER TABLE role_assignments ADD COLUMN assigned_by_type text, ADD COLUMN assigned_by_id text COLLATE "C"',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE role_assignments DROP COLUMN assigned_by_id, DROP COLUMN assigned_by_type');
  }
}
