import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The position of each durable event handler in the log of each tenant. */
export class EventSubscriberCursors1795532400000 implements MigrationInterface {
  readonly name = 'EventSubscriberCursors1795532400000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      CREATE TABLE event_subscriber_cursors (
        tenant_id text COLLATE "C" NOT NULL,
        subscriber text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        head bigint NOT NULL,
        due_at timestamptz,
        lease_owner text,
        attempts integer NOT NULL DEFAULT 0,
        failed_event_id text COLLATE "C",
        failed_position bigint,
        last_error text,
        stopped_at timestamptz,
        PRIMARY KEY (tenant_id, subscriber)
      )`);
    await queryRunner.query(
      'CREATE INDEX event_subscriber_cursors_due ON event_subscriber_cursors (due_at) WHERE due_at IS NOT NULL',
    );
    await queryRunner.query(
      'CREATE INDEX event_subscriber_cursors_stopped ON event_subscriber_cursors (subscriber, stopped_at) WHERE stopped_at IS NOT NULL',
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE event_subscriber_cursors');
  }
}
