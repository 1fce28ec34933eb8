import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Stores the span of an event's request, so that the event's deliveries are part of the request's trace. */
export class TracesOfEvents1790000155000 implements MigrationInterface {
  readonly name = 'TracesOfEvents1790000155000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE events ADD COLUMN traceparent text');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('ALTER TABLE events DROP COLUMN traceparent');
  }
}
