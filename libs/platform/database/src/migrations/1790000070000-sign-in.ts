import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What sign-in remembers of failures, of addresses and devices, and of threats told. */
export class SignIn1790000070000 implements MigrationInterface {
  readonly name = 'SignIn1790000070000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
-- Failed sign-ins in a row, by account (SHA-256 of the e-mail address, whether a user has it or not) and address. The row with the
-- address '' counts those from all addresses that the account does not know.
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

-- From where a user has signed in: hashes of addresses and of devices.
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

-- When a rule last told of a subject, so that it tells once an hour.
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
