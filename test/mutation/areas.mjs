const beside = (file) => ({ mutate: [`${file}.ts`], tests: [`${file}.spec.ts`] });

/**
 * What is mutated, and the tests that have to notice. Every run of a mutant loads all test files that are named with it, and with them half
 * of the service, so each file has its own. Those in `test/integration` use PostgreSQL, where a fake would prove nothing.
 */
export const AREAS = {
  'access-rules': [beside('libs/common/src/access'), beside('libs/common/src/request-context')],
  authorizer: [
    beside('libs/auth/src/access/access-decisions'),
    beside('libs/auth/src/access/credential-authenticator'),
    beside('libs/auth/src/access/assert-routes-declare-access'),
    { mutate: ['libs/auth/src/access/access-errors.ts'], tests: ['libs/auth/src/access/access-decisions.spec.ts'] },
    {
      mutate: ['libs/auth/src/access/access.guard.ts', 'libs/auth/src/access/request-authentication.ts'],
      tests: ['test/integration/access-guard.spec.ts'],
      // The guard remembers what routes declare: the test that asks a route first is not the one that notices.
      coverageAnalysis: 'all',
    },
  ],
  tenancy: [
    {
      mutate: [
        'libs/organizations/src/effective-settings.ts',
        'libs/organizations/src/organization-scopes.read.ts',
        'libs/organizations/src/second-factor-demands.read.ts',
      ],
      tests: ['test/integration/organization-tree.spec.ts'],
    },
  ],
  settings: [beside('libs/organizations/src/settings/settings'), beside('libs/organizations/src/organization-settings-change')],
  cursors: [
    beside('libs/common/src/page'),
    beside('libs/common/src/ids'),
    beside('libs/http/src/pagination'),
    { mutate: ['libs/database/src/base.repository.ts'], tests: ['test/integration/base-repository.spec.ts'] },
  ],
  signing: [
    beside('libs/delivery/src/signing/signature'),
    beside('libs/delivery/src/signing/delivery-headers'),
    beside('libs/delivery/src/signing/kept-request'),
    beside('libs/webhooks/src/signing-secret'),
  ],
  retries: [beside('libs/delivery/src/processing/retry-schedule')],
  outbound: [
    beside('libs/outbound/src/network-policy'),
    beside('libs/outbound/src/host-lookup'),
    beside('libs/outbound/src/destination-problem'),
  ],
  'guarded-client': [
    beside('libs/delivery/src/guarded-http/exchange'),
    beside('libs/delivery/src/guarded-http/http-outcome'),
    beside('libs/delivery/src/guarded-http/response-body'),
    beside('libs/delivery/src/guarded-http/socket-budget'),
    {
      mutate: ['libs/delivery/src/guarded-http/guarded-http-client.ts', 'libs/outbound/src/guarded-connector.ts'],
      tests: ['libs/delivery/src/guarded-http/guarded-http-client*.spec.ts', 'libs/outbound/src/guarded-connector.spec.ts'],
    },
  ],
  crypto: [
    beside('libs/crypto/src/secret-sealer'),
    beside('libs/crypto/src/tokens'),
    beside('libs/crypto/src/api-key'),
    beside('libs/crypto/src/secrets-key-file'),
  ],
  passwords: [
    {
      mutate: ['libs/crypto/src/password-hasher.ts', 'libs/crypto/src/waiting-line.ts'],
      tests: ['libs/crypto/src/password-hasher.spec.ts'],
    },
    {
      mutate: ['libs/crypto/src/password-formats/*.ts'],
      tests: ['libs/crypto/src/password-formats/password-formats.spec.ts', 'libs/crypto/src/password-hasher.spec.ts'],
    },
  ],
};
