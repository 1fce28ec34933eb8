import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sets the fill factor of existing partitions of deliveries. With free space in each page, new row versions stay on the page and claims
 * update no index. Affects only pages that are written after this migration.
 */
export class RoomForClaims1790000140000 implements MigrationInterface {
  readonly name = 'RoomForClaims1790000140000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(eachPartitionOfDeliveries('SET (fillfactor = 50)'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(eachPartitionOfDeliveries('RESET (fillfactor)'));
  }
}

const eachPartitionOfDeliveries = (change: string): string => `
  DO $$
  DECLARE partition regclass;
  BEGIN
    FOR partition IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'deliveries'::regclass LOOP
      EXECUTE format('ALTER TABLE %s ${change}', partition);
    END LOOP;
  END $$`;
