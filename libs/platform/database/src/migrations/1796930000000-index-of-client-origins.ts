import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the OAuth clients with the origin of a page. */
export class IndexOfClientOrigins1796930000000 implements MigrationInterface {
  readonly name = 'IndexOfClientOrigins1796930000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE INDEX oauth_clients_origins_idx ON oauth_clients USING gin (origins)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP INDEX oauth_clients_origins_idx');
  }
}
