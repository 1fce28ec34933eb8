import { beforeAll, describe, expect, it } from '@jest/globals';
import { personalDataSections } from '#platform/personal-data';
import { testApp } from '../support/test-app.js';

/** Matches columns that can identify a user: ids of users, actors, owners and callers, and addresses of people. */
const IDENTIFIES_USER =
  /^(?:user|actor|owner|requester|caller|subject|created_by|updated_by|assigned_by|decided_by|suspended_by|invited_by)(?:_id)?$|email|recipient|destination|phone|account|first_name|ip_address/;

const REFERENCE = 'Contains only the id of the user as an actor. The section `events` has the events that the user caused.';
const SHORT_LIVED =
  'The rows are deleted after at most a few hours. They contain hashes, encrypted values and counters, which are not exported.';

const COPY = 'A copy of columns of `users` and `memberships` for lists and searches.';

/** The tables that are not in the export, with the reason. */
const EXCLUDED: Readonly<Record<string, string>> = {
  directory_entries: COPY,
  directory_entries_history: COPY,
  event_redactions: 'Exists only after the permanent deletion of the user.',
  group_role_assignments: REFERENCE,
  group_role_assignments_history: REFERENCE,
  idempotency_records: SHORT_LIVED,
  mfa_challenges: SHORT_LIVED,
  mfa_enrolments: SHORT_LIVED,
  organizations: REFERENCE,
  organizations_history: REFERENCE,
  reauthentication_tries: SHORT_LIVED,
  sent_code_counts: SHORT_LIVED,
  scim_preview_users:
    'What a directory would change. Deleted when the change is applied, a new preview starts or the user is deleted permanently.',
  scim_removals: 'The time of the last suspension or deletion, which the section `events` contains.',
  threat_reports: 'Kept for an hour to limit reports. The report itself is in the section `events`.',
  token_hashes: 'Contains only hashes of the tokens in other tables.',
};

/** The tables of all sections. */
const exported = new Set(personalDataSections().flatMap((section) => section.tables));

describe('the export of the data of a user', () => {
  const app = testApp();
  let tables: string[];
  beforeAll(async () => {
    const columns = await app.database.query<{ table: string; column: string }>(
      `SELECT c.relname AS table, a.attname AS column FROM pg_class c
       JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    const identifying = columns.filter(({ table, column }) => table === 'users' || IDENTIFIES_USER.test(column));
    tables = [...new Set(identifying.map(({ table }) => table))].toSorted();
  });

  it('contains every table with data about users, or the table is excluded with a reason', () => {
    expect([...exported, ...Object.keys(EXCLUDED)].toSorted()).toEqual(tables);
  });
});
