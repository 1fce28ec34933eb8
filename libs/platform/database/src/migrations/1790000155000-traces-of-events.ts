import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets an event keep the span that it came from, so that its deliveries join the trace of the request, whenever they happen. */
export class TracesOfEvents1790000155000 implements MigrationInterface {
  readonly name = 'TracesOfEvents1790000155000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE events ADD COLUMN traceparent text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE events DROP COLUMN traceparent');
  }
}
