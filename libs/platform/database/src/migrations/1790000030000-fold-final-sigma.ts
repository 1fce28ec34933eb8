import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Replaces final sigmas in search texts, because a search term can end in the middle of a word. */
export class FoldFinalSigma1790000030000 implements MigrationInterface {
  readonly name = 'FoldFinalSigma1790000030000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['directory_entries', 'organizations'])
      await queryRunner.query(`UPDATE ${table} SET search_text = replace(search_text, 'ς', 'σ') WHERE search_text LIKE '%ς%'`);
  }

  /** Restores final sigmas at the ends of words. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['directory_entries', 'organizations'])
      await queryRunner.query(
        `UPDATE ${table} SET search_text = regexp_replace(search_text, '([[:alpha:]])σ(?![[:alpha:]])', '\\1ς', 'g')
         WHERE search_text LIKE '%σ%'`,
      );
  }
}
