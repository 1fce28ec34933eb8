import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = ['directory_entries_search_idx', 'organizations_search_idx'] as const;

/**
 * Search indexes collect about a hundred rows in a pending list before they insert the rows. This halves the log volume of a new row.
 * Searches read the pending list row by row, so the limit (kB) of the list is small. With PostgreSQL's default of 4 MB, only a few searches
 * per second would be possible during many writes.
 */
export class SearchGathersWrites1790000170000 implements MigrationInterface {
  readonly name = 'SearchGathersWrites1790000170000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const index of INDEXES)
      await queryRunner.query(`ALTER INDEX ${index} SET (fastupdate = on, gin_pending_list_limit = 128)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const index of INDEXES) {
      await queryRunner.query(`ALTER INDEX ${index} RESET (gin_pending_list_limit); ALTER INDEX ${index} SET (fastupdate = off)`);
      await queryRunner.query(`SELECT gin_clean_pending_list('${index}')`);
    }
  }
}
