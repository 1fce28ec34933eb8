import type { MigrationInterface, QueryRunner } from 'typeorm';

const INDEXES = ['directory_entries_search_idx', 'organizations_search_idx'] as const;

/**
 * Search indexes gather about a hundred rows before they sort them in, which halves what a new row writes to the log. Searches read what is
 * gathered row by row, so the limit (kB) is small: by PostgreSQL's own, 4 MB, they would fall to a few a second while much is written.
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
      // What was gathered stays so until it is sorted in.
      await queryRunner.query(`SELECT gin_clean_pending_list('${index}')`);
    }
  }
}
