interface Guard {
  readonly class: string;
  readonly file: string;
  readonly guard: string;
  readonly without: string;
  /** The Jest project, the file and the beginning of the title. */
  readonly test: readonly [project: string, file: string, title: string];
}

const VALIDATION = {
  file: 'libs/platform/http/src/validation.pipe.ts',
  guard: 'if (field) return [[name, this.valuePart(value, field, at)]];',
  without: 'return [[name, field ? this.valuePart(value, field, at) : value]];',
};

/**
 * Guards against the classes of mistakes in `docs/security/incidents.md`. `guard` is the code of the guard, and `without` is the code without the
 * guard. `npm run test:guards` replaces `guard` with `without` and checks that `test` fails.
 */
export const GUARDS: readonly Guard[] = [
  {
    class: 'IDOR: authorize one ID, act on another',
    file: 'libs/identity/auth/src/api-keys/api-key.repository.ts',
    guard: 'findOneBy({ tenantId, organizationId, id, revokedAt: IsNull() })',
    without: 'findOneBy({ tenantId, id, revokedAt: IsNull() })',
    test: ['contract', 'test/contract/crud-rules.spec.ts', 'returns 404 for one of'],
  },
  {
    class: 'Unprotected endpoints',
    file: 'libs/identity/auth/src/access/assert-routes-declare-access.ts',
    guard: 'if (declared.length === 0) undeclared.push(`${type.name}.${name}`);',
    without: '',
    test: [
      'unit',
      'libs/identity/auth/src/access/assert-routes-declare-access.spec.ts',
      'names each route that declares no access',
    ],
  },
  {
    class: 'Privilege escalation by delegated administrators',
    file: 'libs/platform/common/src/access.ts',
    guard: 'if (missing.length > 0) throw new GrantBeyondOwn(what, missing);',
    without: '',
    test: ['e2e', 'test/e2e/granting.spec.ts', 'the grant check'],
  },
  {
    class: 'Privilege escalation by delegated administrators',
    file: 'libs/directory/organizations/src/moving/move-rules.service.ts',
    guard: "if (notGrantable.length > 0) throw new MoveBeyondOwn('gain', unique(notGrantable));",
    without: '',
    test: [
      'e2e',
      'test/e2e/organization-moves.spec.ts',
      'rejects a move through which another user or an API key gains permissions',
    ],
  },
  {
    class: 'Mass assignment',
    ...VALIDATION,
    test: ['contract', 'test/contract/bad-input.spec.ts', 'rejects response-only body fields in the operation'],
  },
  {
    class: 'Tokens that are reusable or not bound',
    file: 'libs/directory/sessions/src/one-time-token.repository.ts',
    guard: '{ tenantId, id, purpose, usedAt: IsNull(),',
    without: '{ tenantId, id, usedAt: IsNull(),',
    test: ['integration', 'test/integration/sessions.spec.ts', 'rejects a token for another purpose'],
  },
  {
    class: 'Tokens that are reusable or not bound',
    file: 'libs/directory/sessions/src/one-time-token.repository.ts',
    guard: 'purpose, usedAt: IsNull(), voidedAt: IsNull(), expiresAt',
    without: 'purpose, voidedAt: IsNull(), expiresAt',
    test: ['integration', 'test/integration/sessions.spec.ts', 'returns the token to only one of eight concurrent callers'],
  },
  {
    class: 'MFA bypass',
    file: 'libs/identity/sign-in/src/sign-in.service.ts',
    guard: 'if (methods.length === 0) return this.open(',
    without: 'return this.open(',
    test: ['e2e', 'test/e2e/mfa-sign-in.spec.ts', 'opens a session only after verifying the factor'],
  },
  {
    class: 'Account enumeration',
    file: 'libs/identity/sign-in/src/delay-to-step.ts',
    guard: 'await sleep(Math.max(1, Math.ceil(tookMs / stepMs)) * stepMs - tookMs);',
    without: 'if (tookMs < 0) await sleep(stepMs);',
    test: ['e2e', 'test/e2e/password-recovery.spec.ts', 'does not reveal whether the email address has an account'],
  },
  {
    class: 'Ineffective revocation',
    file: 'libs/directory/sessions/src/session.query.ts',
    guard: 's.token_hash IS NULL) AND s.revoked_at IS NULL AND',
    without: 's.token_hash IS NULL) AND',
    test: ['races', 'test/races/revocation-races.spec.ts', 'returns 401 after the session is signed out'],
  },
  {
    class: 'Server-side request forgery (SSRF)',
    file: 'libs/platform/outbound/src/guarded-connector.ts',
    guard: 'for (const { address } of addresses) assertReachable(address);',
    without: '',
    test: [
      'unit',
      'libs/webhooks/delivery/src/guarded-http/guarded-http-client.guard.spec.ts',
      'is rejected at delivery if its address was public at creation and is private at delivery',
    ],
  },
  {
    class: 'Server-side request forgery (SSRF)',
    file: 'libs/platform/outbound/src/guarded-connector.ts',
    guard: 'if (isIP(hostname) !== 0) connector.assertReachable(hostname);',
    without: '',
    test: ['unit', 'libs/webhooks/delivery/src/guarded-http/guarded-http-client.guard.spec.ts', 'opens no socket for'],
  },
  {
    class: 'IP address parsing',
    file: 'libs/platform/outbound/src/network-policy.ts',
    guard: "if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST_IPV6)) return { denied: 'reserved' };",
    without: '',
    test: ['unit', 'libs/platform/outbound/src/network-policy.spec.ts', 'denies every IPv6 address outside 2000::/3'],
  },
  {
    class: 'Secrets in API responses',
    file: 'libs/webhooks/webhooks/src/webhook.responses.ts',
    guard: 'secret: maskedSecret(secrets.openAll(row).current),',
    without: 'secret: secrets.openAll(row).current,',
    test: ['delivery', 'test/delivery/webhooks.spec.ts', 'stores secrets and headers encrypted and returns masked values'],
  },
  {
    class: 'Untrusted cursors',
    file: 'libs/platform/common/src/ids.ts',
    guard: ' && TypeID.fromString(text, ID_PREFIXES[kind]).toString() === text',
    without: '',
    test: ['unit', 'libs/platform/common/src/ids.spec.ts', 'is valid only as a well-formed TypeID'],
  },
  {
    class: 'ID reuse',
    ...VALIDATION,
    test: ['contract', 'test/contract/bad-input.spec.ts', 'rejects response-only body fields in the operation'],
  },
  {
    class: 'Identity confusion',
    file: 'libs/platform/common/src/text.ts',
    guard: "asciiAddress(email.normalize('NFC')).toLowerCase()",
    without: "asciiAddress(email.normalize('NFC'))",
    test: ['e2e', 'test/e2e/injection.spec.ts', 'identifies a user by any spelling of the email address, not by look-alikes'],
  },
  {
    class: 'Identity confusion',
    file: 'libs/platform/http/src/fields/text-fields.ts',
    guard: 'isEmail(address, { allow_utf8_local_part: false })',
    without: 'isEmail(address)',
    test: ['e2e', 'test/e2e/injection.spec.ts', 'identifies a user by any spelling of the email address, not by look-alikes'],
  },
  {
    class: 'Password truncation',
    file: 'libs/platform/crypto/src/password-hasher.ts',
    guard: "Buffer.from(password.normalize('NFKC'));\n  return bytes.length > MAX_PASSWORD_BYTES ? undefined : bytes;",
    without: "Buffer.from(password.normalize('NFKC'));\n  return bytes.subarray(0, MAX_PASSWORD_BYTES);",
    test: ['unit', 'libs/platform/crypto/src/password-hasher.spec.ts', 'compares all 1,024 bytes of the longest password'],
  },
  {
    class: 'Framework and library flaws',
    file: 'libs/identity/auth/src/access/access.guard.ts',
    guard: 'if (isPublic) return true;',
    without: "if (isPublic || requestOf(context).method === 'HEAD') return true;",
    test: ['e2e', 'test/e2e/asvs-api.spec.ts', 'authorizes HEAD requests and unusual spellings of a path like GET requests'],
  },
];
