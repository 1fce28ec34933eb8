import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DELIVERY_TABLES } from './foundation/delivery-tables.js';
import { DIRECTORY_TABLES } from './foundation/directory-tables.js';
import { EVENT_TABLES } from './foundation/event-tables.js';
import { OPERATION_TABLES } from './foundation/operation-tables.js';

/**
 * The first schema. IDs, slugs and keys have the collation "C", which compares bytes. This is fast and orders IDs by time. The keys of all
 * tenant-owned tables begin with `tenant_id`, the ID of the root organization.
 */
export class Foundation1790000000000 implements MigrationInterface {
  readonly name = 'Foundation1790000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('CREATE EXTENSION IF NOT EXISTS pg_trgm');
    for (const script of [EVENT_TABLES, DIRECTORY_TABLES, DELIVERY_TABLES, OPERATION_TABLES]) await queryRunner.query(script);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE idempotency_records, messages, password_history, user_credentials, one_time_tokens, sessions, api_keys, token_hashes,
        delivery_attempts, deliveries, webhook_daily_stats, webhook_health, webhook_sequences, webhooks,
        directory_count_deltas, directory_counts, directory_entries, role_assignments, memberships, roles,
        user_identities, users, identity_providers, organization_handles, organizations, event_streams, events;
      DROP SEQUENCE event_seq;
    `);
  }
}
