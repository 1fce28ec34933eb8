const beside = (file) => ({ mutate: [`${file}.ts`], tests: [`${file}.spec.ts`] });

/**
 * The mutated files, and the test files that must detect the mutants. Every run of a mutant loads all its test files: each mutated file has only few
 * test files. Tests in `test/integration` use PostgreSQL.
 */
export const AREAS = {
  'access-rules': [beside('libs/platform/common/src/access'), beside('libs/platform/common/src/request-context')],
  authorizer: [
    beside('libs/identity/auth/src/access/access-decisions'),
    beside('libs/identity/auth/src/access/credential-authenticator'),
    beside('libs/identity/auth/src/access/assert-routes-declare-access'),
    {
      mutate: ['libs/identity/auth/src/access/access-errors.ts'],
      tests: ['libs/identity/auth/src/access/access-decisions.spec.ts'],
    },
    {
      mutate: [
        'libs/identity/auth/src/access/access.guard.ts',
        'libs/identity/auth/src/access/request-authentication.service.ts',
      ],
      tests: ['test/integration/access-guard.spec.ts'],
      // The guard caches the declarations of routes. A mutant can change the result of a later test of the route.
      coverageAnalysis: 'all',
    },
  ],
  tenancy: [
    {
      mutate: [
        'libs/directory/organizations/src/effective-settings.service.ts',
        'libs/directory/organizations/src/organization-scope.query.ts',
        'libs/directory/organizations/src/session-requirements.query.ts',
      ],
      tests: ['test/integration/organization-tree.spec.ts'],
    },
  ],
  settings: [
    beside('libs/directory/organizations/src/settings/settings'),
    beside('libs/directory/organizations/src/settings-change.service'),
  ],
  cursors: [
    beside('libs/platform/common/src/page'),
    beside('libs/platform/common/src/ids'),
    beside('libs/platform/http/src/pagination'),
    { mutate: ['libs/platform/database/src/base.repository.ts'], tests: ['test/integration/base-repository.spec.ts'] },
  ],
  signing: [
    beside('libs/webhooks/delivery/src/signing/signature'),
    beside('libs/webhooks/delivery/src/signing/delivery-headers'),
    beside('libs/webhooks/delivery/src/signing/stored-request'),
    beside('libs/webhooks/webhooks/src/signing-secret'),
  ],
  retries: [beside('libs/webhooks/delivery/src/ledger/retry-schedule')],
  outbound: [
    beside('libs/platform/outbound/src/network-policy'),
    beside('libs/platform/outbound/src/host-lookup'),
    beside('libs/platform/outbound/src/destination-problem'),
  ],
  'guarded-client': [
    beside('libs/webhooks/delivery/src/guarded-http/exchange'),
    beside('libs/webhooks/delivery/src/guarded-http/http-outcome'),
    beside('libs/webhooks/delivery/src/guarded-http/response-body'),
    {
      mutate: [
        'libs/webhooks/delivery/src/guarded-http/guarded-http-client.ts',
        'libs/platform/outbound/src/guarded-connector.ts',
      ],
      tests: [
        'libs/webhooks/delivery/src/guarded-http/guarded-http-client*.spec.ts',
        'libs/platform/outbound/src/guarded-connector.spec.ts',
      ],
    },
  ],
  crypto: [
    beside('libs/platform/crypto/src/secret-sealer'),
    beside('libs/platform/crypto/src/tokens'),
    beside('libs/platform/crypto/src/api-key'),
    beside('libs/platform/crypto/src/secrets-key-file'),
  ],
  passwords: [
    {
      mutate: ['libs/platform/crypto/src/password-hasher.ts', 'libs/platform/crypto/src/concurrency-limiter.ts'],
      tests: ['libs/platform/crypto/src/password-hasher.spec.ts'],
    },
    {
      mutate: ['libs/platform/crypto/src/password-formats/*.ts'],
      tests: [
        'libs/platform/crypto/src/password-formats/password-formats.spec.ts',
        'libs/platform/crypto/src/password-hasher.spec.ts',
      ],
    },
  ],
  scim: [
    {
      mutate: ['filter', 'filter-tokens', 'value-filter', 'comparison'].map(
        (name) => `libs/identity/scim/src/protocol/${name}.ts`,
      ),
      tests: ['libs/identity/scim/src/protocol/filter.spec.ts'],
    },
    {
      mutate: ['libs/identity/scim/src/protocol/patch.ts', 'libs/identity/scim/src/protocol/attribute-path.ts'],
      tests: ['libs/identity/scim/src/protocol/patch.spec.ts'],
    },
    beside('libs/identity/scim/src/protocol/resource'),
    beside('libs/identity/scim/src/groups/group-member-changes'),
    beside('libs/identity/scim/src/users/user-name'),
  ],
};
