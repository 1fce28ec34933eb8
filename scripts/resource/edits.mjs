/** What a resource needs in files that are there: `text` goes in behind `after` or before `before`. Written for sample things. */
export const EDITS = [
  {
    file: 'libs/platform/common/src/ids.ts',
    before: `} as const;\n\nexport type ResourceKind`,
    text: `  sampleThing: 'smp',\n`,
  },
  {
    file: 'libs/platform/common/src/ids.spec.ts',
    after: `    expect(ID_PREFIXES).toEqual({\n`,
    text: `      sampleThing: 'smp',\n`,
  },
  {
    file: 'libs/platform/common/src/domain-error.ts',
    after: `    resource:\n`,
    text: `      | 'sample_thing'\n`,
  },
  {
    file: 'libs/platform/common/src/access.ts',
    before: `] as const;\nexport type ServicePermission`,
    text: `  'sample_things:read',\n  'sample_things:write',\n`,
  },
  {
    file: 'libs/directory/roles/src/permissions.controller.ts',
    before: `};\n\nexport class PermissionResponse`,
    text: `  'sample_things:read': 'View sample things.',\n  'sample_things:write': 'Create, update and delete sample things.',\n`,
  },
  {
    file: 'libs/directory/roles/src/built-in-roles.ts',
    before: `      'permissions:grant',\n    ],`,
    text: `      'sample_things:*',\n`,
  },
  {
    file: 'libs/directory/roles/src/built-in-roles.ts',
    before: `  ]),\n];`,
    text: `    'sample_things:read',\n`,
  },
  {
    file: 'libs/platform/events/src/event-data.ts',
    after: `secrets are never included. */\n`,
    text: `
export interface SampleThingData {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  createdAt: string;
  updatedAt: string;
}
`,
  },
  {
    file: 'libs/platform/events/src/catalogue-examples.ts',
    after: `import type {`,
    text: ` SampleThingData,`,
  },
  {
    file: 'libs/platform/events/src/catalogue-examples.ts',
    before: `export const apiKey: ApiKeyData`,
    text: `export const sampleThing: SampleThingData = {
  id: 'smp_01kf2bav4hf7r8v2m5n9q1c3ek',
  organizationId: ORGANIZATION_ID,
  name: 'First',
  description: 'The first of its kind',
  createdAt: EARLIER,
  updatedAt: LATER,
};

`,
  },
  {
    file: 'libs/platform/events/src/catalogue.ts',
    before: `  ApiKeyData,\n`,
    text: `  SampleThingData,\n`,
  },
  {
    file: 'libs/platform/events/src/catalogue.ts',
    before: `} as const;\n\nexport type EventType`,
    text: `  'sample_thing.created': event<SampleThingData>('A sample thing was created.', example.sampleThing),
  'sample_thing.updated': event<SampleThingData & { changes: Changes }>('A sample thing was updated.', {
    ...example.sampleThing,
    changes: { name: { from: 'One', to: 'First' } },
  }),
  'sample_thing.deleted': event<SampleThingData>('A sample thing was deleted.', example.sampleThing),
`,
  },
  {
    file: 'ormconfig.ts',
    before: `import { User } from '#directory/users';\n`,
    text: `import { SampleThing } from '#directory/sample-things';\n`,
  },
  { file: 'ormconfig.ts', before: `  User,\n`, text: `  SampleThing,\n` },
  {
    file: 'apps/server/src/server.module.ts',
    before: `import { SessionAccessModule }`,
    text: `import { SampleThingsModule } from '#directory/sample-things';\n`,
  },
  {
    file: 'apps/server/src/server.module.ts',
    after: `        FederationModule,\n`,
    text: `        SampleThingsModule,\n`,
  },
  {
    file: 'apps/server/src/openapi/openapi.ts',
    before: `  ['Webhooks',`,
    text: `  ['Sample things', 'Sample things of an organization.'],\n`,
  },
  {
    file: '.dependency-cruiser.mjs',
    before: `'memberships', 'users'].map((name) => \`directory/`,
    text: `'sample-things', `,
  },
  {
    file: 'test/contract/access-matrix/requests.ts',
    before: `import { SIGN_IN_ROWS }`,
    text: `import { SAMPLE_THING_ROWS } from './sample-thing-requests.js';\n`,
  },
  {
    file: 'test/contract/access-matrix/requests.ts',
    after: `  ...FACTOR_ROWS,\n`,
    text: `  ...SAMPLE_THING_ROWS,\n`,
  },
  {
    file: 'test/contract/request-bodies.ts',
    after: `export interface Standing {\n`,
    text: `  sampleThing: string;\n`,
  },
  {
    file: 'test/contract/request-bodies.ts',
    before: `    identityProvider: await made(`,
    text: `    sampleThing: await made(\`\${at}/sample-things\`, { name: \`standing \${randomUUID()}\` }),\n`,
  },
  {
    file: 'test/contract/request-bodies.ts',
    after: `  const byPlace: Record<string, string> = {\n`,
    text: `    'sample-things': standing.sampleThing,\n`,
  },
  {
    file: 'test/contract/foreign-ids.spec.ts',
    after: `    const tables = [`,
    text: `'sample_things', `,
  },
  {
    file: 'test/contract/foreign-ids.spec.ts',
    after: `  const foreignIds = (): ForeignId[] => [\n`,
    text: `    { id: foreign.sampleThing, unknown: newId('sampleThing'), suits: /sample-?thing/i },\n`,
  },
  {
    file: 'test/contract/published-events.spec.ts',
    before: `    await people(at, top);\n`,
    text: `    await sampleThings(at);\n`,
  },
  {
    file: 'test/contract/published-events.spec.ts',
    before: `  async function people(`,
    text: `  async function sampleThings(at: string): Promise<void> {
    const { id } = await post(\`\${at}/sample-things\`, { name: 'First' });
    await app.api.platform.patch(\`\${at}/sample-things/\${id}\`, { description: 'Changed' }).expect(200);
    await app.api.platform.delete(\`\${at}/sample-things/\${id}\`).expect(204);
  }

`,
  },
  {
    file: 'apps/web/src/texts/en.json',
    before: `  "eventTypes.user.created"`,
    text: `  "eventTypes.sample_thing.created": "Sample thing created",
  "eventTypes.sample_thing.updated": "Sample thing updated",
  "eventTypes.sample_thing.deleted": "Sample thing deleted",
`,
  },
  {
    file: 'apps/web/src/texts/de.json',
    before: `  "eventTypes.user.created"`,
    text: `  "eventTypes.sample_thing.created": "Sample thing erstellt",
  "eventTypes.sample_thing.updated": "Sample thing geändert",
  "eventTypes.sample_thing.deleted": "Sample thing gelöscht",
`,
  },
  {
    file: 'ARCHITECTURE.md',
    after: `| | \`roles\` | Built-in and custom roles |\n`,
    text: `| | \`sample-things\` | Sample things of organizations |\n`,
  },
];

/** What users read of it under Unreleased. */
export const CHANGELOG_LINE =
  '- Sample things of organizations (`/v1/organizations/:org/sample-things`), with permissions and events.\n';

/** The files that a resource brings, by the names of their templates. */
export const FILES = {
  'lib/index.ts': 'libs/directory/sample-things/src/index.ts',
  'lib/sample-thing.entity.ts': 'libs/directory/sample-things/src/sample-thing.entity.ts',
  'lib/sample-thing.repository.ts': 'libs/directory/sample-things/src/sample-thing.repository.ts',
  'lib/sample-thing-errors.ts': 'libs/directory/sample-things/src/sample-thing-errors.ts',
  'lib/sample-thing.requests.ts': 'libs/directory/sample-things/src/sample-thing.requests.ts',
  'lib/sample-thing.responses.ts': 'libs/directory/sample-things/src/sample-thing.responses.ts',
  'lib/sample-things.service.ts': 'libs/directory/sample-things/src/sample-things.service.ts',
  'lib/sample-things.controller.ts': 'libs/directory/sample-things/src/sample-things.controller.ts',
  'lib/sample-things.module.ts': 'libs/directory/sample-things/src/sample-things.module.ts',
  'lib/sample-things-follow-organizations.repository.ts':
    'libs/directory/sample-things/src/sample-things-follow-organizations.repository.ts',
  'errors/sample_thing_not_found.md': 'docs/errors/sample_thing_not_found.md',
  'errors/sample_thing_name_taken.md': 'docs/errors/sample_thing_name_taken.md',
  'errors/sample_thing_limit.md': 'docs/errors/sample_thing_limit.md',
  'test/sample-thing-requests.ts': 'test/contract/access-matrix/sample-thing-requests.ts',
  'test/sample-things.spec.ts': 'test/e2e/sample-things.spec.ts',
};
