import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Search text is written without final sigmas from now on, since a term's last letter need not be a name's; what stands follows. */
export class FoldFinalSigma1790000030000 implements MigrationInterface {
  readonly name = 'FoldFinalSigma1790000030000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['directory_entries', 'organizations'])
      await queryRunner.query(`UPDATE ${table} SET search_text = replace(search_text, 'ς', 'σ') WHERE search_text LIKE '%ς%'`);
  }

  /** Small sigmas at the ends of words are written as final ones again. */
  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of ['directory_entries', 'organizations'])
      await queryRunner.query(
        `UPDATE ${table} SET search_text = regexp_replace(search_text, '([[:alpha:]])σ(?![[:alpha:]])', '\\1ς', 'g')
         WHERE search_text LIKE '%σ%'`,
      );
  }
}
