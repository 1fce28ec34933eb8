import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Failed sign-ins, known addresses and devices of users, and reports of suspicious activity. */
export class SignIn1790000070000 implements MigrationInterface {
  readonly name = 'SignIn1790000070000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
-- Consecutive failed sign-ins, by account (SHA-256 of the email address, even if no user has it) and IP address. The row with the
-- address '' counts the failures from all unknown addresses.
CREATE TABLE sign_in_failures (
  tenant_id text COLLATE "C" NOT NULL,
  account bytea NOT NULL,
  address text COLLATE "C" NOT NULL,
  failures integer NOT NULL,
  last_failed_at timestamptz NOT NULL,
  locked_until timestamptz,
  CONSTRAINT sign_in_failures_pkey PRIMARY KEY (tenant_id, account, address)
);
CREATE INDEX sign_in_failures_address_idx ON sign_in_failures (tenant_id, address, last_failed_at);
CREATE INDEX sign_in_failures_old_idx ON sign_in_failures (last_failed_at);

-- Hashes of the addresses and devices of a user's sign-ins.
CREATE TABLE sign_in_origins (
  tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  origin bytea NOT NULL,
  last_seen_at timestamptz NOT NULL,
  CONSTRAINT sign_in_origins_pkey PRIMARY KEY (tenant_id, user_id, kind, origin),
  CONSTRAINT sign_in_origins_kind_check CHECK (kind IN ('address', 'device')),
  CONSTRAINT sign_in_origins_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE
);
CREATE INDEX sign_in_origins_old_idx ON sign_in_origins (last_seen_at);

-- The time of a rule's last report about a subject, so that it reports at most once an hour.
CREATE TABLE threat_reports (
  tenant_id text COLLATE "C" NOT NULL,
  rule text NOT NULL,
  subject text COLLATE "C" NOT NULL,
  reported_at timestamptz NOT NULL,
  CONSTRAINT threat_reports_pkey PRIMARY KEY (tenant_id, rule, subject)
);
CREATE INDEX threat_reports_old_idx ON threat_reports (reported_at);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE threat_reports, sign_in_origins, sign_in_failures');
  }
}
