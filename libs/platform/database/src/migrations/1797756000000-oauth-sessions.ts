import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the address for back-channel logout of OAuth clients, and the sign-ins of users at clients that have one. */
export class OAuthSessions1797756000000 implements MigrationInterface {
  readonly name = 'OAuthSessions1797756000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`ALTER TABLE oauth_clients ADD COLUMN backchannel_logout_uri text,
      ADD COLUMN backchannel_logout_session_required boolean NOT NULL DEFAULT false`);
    // In the tenant of the grant. The session and the user can be in another tenant.
    await queryRunner.query(`CREATE TABLE oauth_sessions (
      tenant_id text COLLATE "C" NOT NULL,
      session_id text COLLATE "C" NOT NULL,
      grant_id text COLLATE "C" NOT NULL,
      organization_id text COLLATE "C" NOT NULL,
      client_id text COLLATE "C" NOT NULL,
      audience text NOT NULL,
      user_tenant_id text COLLATE "C" NOT NULL,
      user_id text COLLATE "C" NOT NULL,
      rests_on text[] COLLATE "C" NOT NULL,
      created_at timestamptz NOT NULL,
      check_at timestamptz NOT NULL,
      check_reason text,
      CONSTRAINT oauth_sessions_pkey PRIMARY KEY (tenant_id, session_id, grant_id),
      CONSTRAINT oauth_sessions_grant_id_fkey FOREIGN KEY (tenant_id, grant_id) REFERENCES oauth_grants (tenant_id, id) ON DELETE CASCADE
    )`);
    await queryRunner.query('CREATE INDEX oauth_sessions_grant_idx ON oauth_sessions (tenant_id, grant_id)');
    await queryRunner.query('CREATE INDEX oauth_sessions_user_idx ON oauth_sessions (tenant_id, user_id)');
    await queryRunner.query('CREATE INDEX oauth_sessions_check_idx ON oauth_sessions (check_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE oauth_sessions');
    await queryRunner.query(
      'ALTER TABLE oauth_clients DROP COLUMN backchannel_logout_uri, DROP COLUMN backchannel_logout_session_required',
    );
  }
}
