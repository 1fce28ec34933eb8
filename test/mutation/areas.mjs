/** Files of a folder that are mutated together, each with the tests beside it. */
const beside = (folder, ...names) => ({
  mutate: names.map((name) => `${folder}/${name}.ts`),
  tests: names.map((name) => `${folder}/${name}.spec.ts`),
});

/**
 * The mutated files, and the test files that must detect the mutants. A run starts in the time of about 100 mutants, and each of its mutants loads all
 * its test files: a run has few small files. Tests in `test/integration` use PostgreSQL.
 */
export const AREAS = {
  'access-rules': [
    beside('libs/platform/common/src', 'access'),
    beside('libs/platform/common/src', 'request-context'),
    beside('libs/directory/privileges/src', 'privileges.service'),
  ],
  authorizer: [
    {
      mutate: ['access-decisions', 'access-errors', 'credential-authenticator', 'assert-routes-declare-access'].map(
        (name) => `libs/identity/auth/src/access/${name}.ts`,
      ),
      tests: ['access-decisions', 'credential-authenticator', 'assert-routes-declare-access'].map(
        (name) => `libs/identity/auth/src/access/${name}.spec.ts`,
      ),
    },
    {
      mutate: [
        'libs/identity/auth/src/access/access.guard.ts',
        'libs/identity/auth/src/access/request-authentication.service.ts',
        'libs/identity/auth/src/access/session-acceptance.service.ts',
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
    beside('libs/directory/organizations/src', 'settings/settings'),
    beside('libs/directory/organizations/src', 'settings/session-rules'),
    beside('libs/directory/organizations/src', 'settings-change.service'),
  ],
  cursors: [
    beside('libs/platform', 'common/src/page', 'common/src/ids', 'http/src/pagination'),
    { mutate: ['libs/platform/database/src/base.repository.ts'], tests: ['test/integration/base-repository.spec.ts'] },
  ],
  signing: [
    beside(
      'libs/webhooks',
      'delivery/src/signing/signature',
      'delivery/src/signing/delivery-headers',
      'delivery/src/signing/stored-request',
      'webhooks/src/signing-secret',
    ),
  ],
  retries: [beside('libs/webhooks/delivery/src/ledger', 'retry-schedule')],
  outbound: [beside('libs/platform/outbound/src', 'network-policy', 'host-lookup', 'destination-problem')],
  'guarded-client': [
    beside('libs/webhooks/delivery/src/guarded-http', 'exchange', 'http-outcome', 'response-body'),
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
  crypto: [beside('libs/platform/crypto/src', 'secret-sealer', 'tokens', 'api-key', 'secrets-key-file')],
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
    beside('libs/identity/scim/src', 'protocol/resource'),
    beside('libs/identity/scim/src', 'groups/group-member-changes', 'users/user-name'),
  ],
};
