/** A column with texts that `SecretSealer` encrypted. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The columns of the primary key, in the order of the key. */
  readonly key: readonly string[];
  /** The SQL expression of the encryption context. */
  readonly context: string;
  /**
   * What happens to a text whose key is lost. `delete`: the row, which the service creates again or which expires soon. `clear`: the text.
   * `replace`: a random secret takes its place, until a person sets the right one.
   */
  readonly whenLost: 'delete' | 'clear' | 'replace';
}

/**
 * All columns that `SECRETS_KEY` encrypts. This includes columns whose rows expire within minutes, so that a rotation need not
 * wait for the expiry. `test/e2e/secrets.spec.ts` checks that no column is missing and that the contexts are correct.
 */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  {
    table: 'webhooks',
    column: 'secret_sealed',
    key: ['tenant_id', 'id'],
    context: "'webhooks|secret|' || id",
    whenLost: 'replace',
  },
  {
    table: 'webhooks',
    column: 'next_secret_sealed',
    key: ['tenant_id', 'id'],
    context: "'webhooks|secret|' || id",
    whenLost: 'clear',
  },
  {
    table: 'webhooks',
    column: 'headers_sealed',
    key: ['tenant_id', 'id'],
    context: "'webhooks|headers|' || id",
    whenLost: 'clear',
  },
  {
    table: 'ssf_streams',
    column: 'authorization_sealed',
    key: ['tenant_id', 'id'],
    context: "'ssf_streams|authorization|' || id",
    whenLost: 'clear',
  },
  {
    table: 'identity_providers',
    column: 'client_secret_sealed',
    key: ['tenant_id', 'id'],
    context: "'identity_providers|client_secret|' || id",
    whenLost: 'replace',
  },
  {
    table: 'password_migrations',
    column: 'secret_sealed',
    key: ['tenant_id', 'organization_id'],
    context: "'password_migrations|secret|' || organization_id",
    whenLost: 'delete',
  },
  {
    table: 'oidc_sign_ins',
    column: 'checks_sealed',
    key: ['state_hash'],
    context: "'oidc_sign_ins|checks|' || encode(state_hash, 'hex')",
    whenLost: 'delete',
  },
  {
    table: 'totp_factors',
    column: 'seed_sealed',
    key: ['tenant_id', 'user_id'],
    context: "'totp_factors|seed|' || user_id",
    whenLost: 'replace',
  },
  {
    table: 'mfa_challenges',
    column: 'code_sealed',
    key: ['tenant_id', 'token_hash'],
    context: "'mfa_challenges|code|' || encode(token_hash, 'hex')",
    whenLost: 'delete',
  },
  {
    table: 'mfa_enrolments',
    column: 'content_sealed',
    key: ['tenant_id', 'user_id', 'method'],
    context: "'mfa_enrolments|' || method || '|' || user_id",
    whenLost: 'delete',
  },
  {
    table: 'signing_keys',
    column: 'private_jwk_sealed',
    key: ['kid'],
    context: "'signing_keys|private_jwk|' || kid",
    whenLost: 'delete',
  },
  {
    table: 'messages',
    column: 'content_sealed',
    key: ['tenant_id', 'id'],
    context: "'messages|content|' || id",
    whenLost: 'delete',
  },
  {
    table: 'idempotency_records',
    column: 'response_sealed',
    key: ['caller_id', 'operation', 'key'],
    context: "'idempotency_records|response|' || caller_id || '|' || operation || '|' || key",
    whenLost: 'delete',
  },
];
