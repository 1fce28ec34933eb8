/** The libraries from the bottom to the top: each imports only libraries before it. A change of this order is a decision. */
const LIBRARIES = [
  ...[
    'common',
    'config',
    'crypto',
    'database',
    'redis',
    'observability',
    'outbound',
    'http',
    'personal-data',
    'notification-sources',
    'configuration-sections',
    'mail',
  ].map((name) => `platform/${name}`),
  ...['events', 'event-log', 'threats'].map((name) => `platform/${name}`),
  ...['privileges', 'organizations', 'sessions', 'roles', 'domains', 'scim-connections', 'memberships', 'groups', 'users'].map(
    (name) => `directory/${name}`,
  ),
  ...['formats', 'webhooks', 'delivery', 'delivery-api'].map((name) => `webhooks/${name}`),
  ...[
    'auth',
    'setup-links',
    'break-glass',
    'credentials',
    'scim',
    'mfa',
    'session-access',
    'impersonation',
    'sign-in',
    'federation',
    'oauth',
    'logout',
    'shared-signals',
    'reports',
    'notifications',
    'search',
    'configuration',
  ].map((name) => `identity/${name}`),
];

/** The folders of the delivery library, in the same order: the relay and the sweeper start deliveries, all others are below. */
const DELIVERY_FOLDERS = [
  'telemetry',
  'signing',
  'guarded-http',
  'destinations',
  'queue',
  'alerts',
  'ledger',
  'processing',
  'relay',
  'sweeping',
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'only-the-public-api',
      comment: 'Import another library through its src/index.ts: #area/library.',
      severity: 'error',
      from: { path: '^(?:libs/([^/]+/[^/]+)|apps/server)/' },
      to: { path: '^libs/', pathNot: ['^libs/$1/', '^libs/[^/]+/[^/]+/src/index\\.ts$'] },
    },
    ...LIBRARIES.map((library, index) => ({
      name: 'libraries-downwards-only',
      comment: `${library} is below what it imports, or unknown (.dependency-cruiser.mjs).`,
      severity: 'error',
      from: { path: `^libs/${library}/` },
      to: { path: '^(?:libs|apps)/', pathNot: LIBRARIES.slice(0, index + 1).map((below) => `^libs/${below}/`) },
    })),
    {
      name: 'every-library-has-its-place',
      severity: 'error',
      from: { path: '^libs/', pathNot: LIBRARIES.map((library) => `^libs/${library}/`) },
      to: {},
    },
    ...DELIVERY_FOLDERS.map((folder, index) => ({
      name: 'delivery-folders-downwards-only',
      comment: `${folder} is below what it imports, or unknown (.dependency-cruiser.mjs).`,
      severity: 'error',
      from: { path: `^libs/webhooks/delivery/src/${folder}/` },
      to: {
        path: '^libs/webhooks/delivery/src/[^/]+/',
        pathNot: DELIVERY_FOLDERS.slice(0, index + 1).map((below) => `^libs/webhooks/delivery/src/${below}/`),
      },
    })),
    {
      name: 'identity-without-webhooks',
      severity: 'error',
      comment: 'Only back-channel logout and shared signals, which send with the deliveries of webhooks, know both.',
      from: { path: '^libs/identity/', pathNot: '^libs/identity/(?:logout|shared-signals)/' },
      to: { path: '^libs/webhooks/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.tsx?$|\\.gen\\.ts$' },
    includeOnly: '^(?:libs|apps/(?:server|web))/',
    tsPreCompilationDeps: true,
    // The pictures in ARCHITECTURE.md.
    reporterOptions: {
      dot: { theme: { graph: { rankdir: 'TB', ranksep: '0.5', nodesep: '0.4', splines: 'true' } } },
    },
    enhancedResolveOptions: {
      conditionNames: ['identity-source', 'import', 'node', 'default'],
      cachedInputFileSystem: { cacheDuration: 60_000 },
    },
  },
};
