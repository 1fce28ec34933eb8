import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds which notifications a user has read. The rows are deleted with the user. */
export class NotificationReads1797650000000 implements MigrationInterface {
  readonly name = 'NotificationReads1797650000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE notification_reads (
      tenant_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      notification_id text COLLATE "C" NOT NULL,
      read_at timestamptz NOT NULL,
      CONSTRAINT notification_reads_pkey PRIMARY KEY (tenant_id, user_id, notification_id),
      CONSTRAINT notification_reads_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
    )`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE notification_reads');
  }
}
