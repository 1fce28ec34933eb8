import type { MigrationInterface, QueryRunner } from 'typeorm';

const OF_USER = (table: string): string =>
  `CONSTRAINT ${table}_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id) ON DELETE CASCADE`;
const KEY = `tenant_id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL`;

/** Second factors, recovery codes, sign-ins that wait for a second factor, and pending enrollments. */
const TABLES = `
-- The seed is encrypted, not hashed, because it is needed to check a code. A time step (30 s) is accepted once; earlier steps never again.
CREATE TABLE totp_factors (
  ${KEY},
  seed_sealed text NOT NULL,
  last_step bigint NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CONSTRAINT totp_factors_pkey PRIMARY KEY (tenant_id, user_id),
  ${OF_USER('totp_factors')}
);

-- Email addresses and phone numbers that receive codes.
CREATE TABLE code_factors (
  ${KEY},
  method text NOT NULL,
  destination text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CONSTRAINT code_factors_pkey PRIMARY KEY (tenant_id, user_id, method),
  ${OF_USER('code_factors')},
  CONSTRAINT code_factors_method_check CHECK (method IN ('email', 'sms'))
);

CREATE TABLE passkeys (
  tenant_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  credential_id text COLLATE "C" NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  backed_up boolean NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  CONSTRAINT passkeys_pkey PRIMARY KEY (tenant_id, id),
  CONSTRAINT passkeys_credential_id_key UNIQUE (tenant_id, credential_id),
  ${OF_USER('passkeys')}
);
CREATE INDEX passkeys_user_idx ON passkeys (tenant_id, user_id, id);

-- Hashes of the unused codes. All codes of a set have the same salt, so that one slow hash is enough to compare a code with all.
CREATE TABLE recovery_code_sets (
  ${KEY},
  salt bytea NOT NULL,
  hashes bytea[] NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT recovery_code_sets_pkey PRIMARY KEY (tenant_id, user_id),
  ${OF_USER('recovery_code_sets')}
);

-- Sign-ins whose first factor was verified.
CREATE TABLE mfa_challenges (
  tenant_id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  user_id text COLLATE "C" NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  first_method text NOT NULL,
  methods text[] NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  code_method text,
  code_sealed text,
  passkey_challenge text,
  passkey_expires_at timestamptz,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT mfa_challenges_pkey PRIMARY KEY (tenant_id, token_hash),
  ${OF_USER('mfa_challenges')}
);
CREATE INDEX mfa_challenges_token_idx ON mfa_challenges (token_hash);
CREATE INDEX mfa_challenges_user_idx ON mfa_challenges (tenant_id, user_id);
CREATE INDEX mfa_challenges_expires_idx ON mfa_challenges (expires_at);

-- Factors that are not verified yet: one per kind and user, bound to a session.
CREATE TABLE mfa_enrolments (
  ${KEY},
  method text NOT NULL,
  session_id text COLLATE "C" NOT NULL,
  content_sealed text NOT NULL,
  tries integer NOT NULL DEFAULT 0,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT mfa_enrolments_pkey PRIMARY KEY (tenant_id, user_id, method),
  ${OF_USER('mfa_enrolments')}
);
CREATE INDEX mfa_enrolments_expires_idx ON mfa_enrolments (expires_at);

-- Challenges of sign-ins with only a passkey. The user is known only after the response.
CREATE TABLE passkey_sign_ins (
  tenant_id text COLLATE "C" NOT NULL,
  challenge_hash bytea NOT NULL,
  organization_id text COLLATE "C" NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT passkey_sign_ins_pkey PRIMARY KEY (tenant_id, challenge_hash)
);
CREATE INDEX passkey_sign_ins_expires_idx ON passkey_sign_ins (expires_at);

-- The number of codes that were sent to a user, to limit them.
CREATE TABLE sent_code_counts (
  ${KEY},
  method text NOT NULL,
  window_started_at timestamptz NOT NULL,
  sent integer NOT NULL,
  last_sent_at timestamptz NOT NULL,
  CONSTRAINT sent_code_counts_pkey PRIMARY KEY (tenant_id, user_id, method),
  ${OF_USER('sent_code_counts')}
);

-- Attempts to confirm the password in a session, counted before the password is checked.
CREATE TABLE reauthentication_tries (
  ${KEY},
  window_started_at timestamptz NOT NULL,
  tries integer NOT NULL,
  CONSTRAINT reauthentication_tries_pkey PRIMARY KEY (tenant_id, user_id),
  ${OF_USER('reauthentication_tries')}
);
`;

export class Mfa1790000080000 implements MigrationInterface {
  readonly name = 'Mfa1790000080000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(TABLES);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
      DROP TABLE reauthentication_tries, sent_code_counts, passkey_sign_ins, mfa_enrolments, mfa_challenges, recovery_code_sets, passkeys,
        code_factors, totp_factors
    `);
  }
}
