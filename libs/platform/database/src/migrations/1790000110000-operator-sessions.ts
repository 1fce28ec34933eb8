import type { MigrationInterface, QueryRunner } from 'typeorm';

/** One-time links for operators, and operator sessions, which start with these links. */
export class OperatorSessions1790000110000 implements MigrationInterface {
  readonly name = 'OperatorSessions1790000110000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`
-- Belong to the operator of the installation, not to a tenant. Found by the SHA-256 of the token.
CREATE TABLE operator_links (
  token_hash bytea NOT NULL,
  origin text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  CONSTRAINT operator_links_pkey PRIMARY KEY (token_hash),
  CONSTRAINT operator_links_origin_check CHECK (origin IN ('first_start', 'request'))
);

CREATE TABLE operator_sessions (
  id text COLLATE "C" NOT NULL,
  token_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT operator_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT operator_sessions_token_hash_key UNIQUE (token_hash)
);
    `);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE operator_sessions; DROP TABLE operator_links;');
  }
}
