/**
 * The edits of existing files for a new resource, except CHANGELOG.md and the list of migrations. `text` is inserted after `after` or
 * before `before`. `text` contains the names of the sample resource.
 */
export const EDITS = [
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
    file: '.dependency-cruiser.mjs',
    before: `'users'].map((name) => \`directory/`,
    text: `'sample-things', `,
  },
  {
    file: 'ARCHITECTURE.md',
    after: `| | \`roles\` | Built-in and custom roles |\n`,
    text: `| | \`sample-things\` | Sample things of organizations |\n`,
  },
];

/** The line under Unreleased in CHANGELOG.md. */
export const CHANGELOG_LINE =
  '- Sample things of organizations (`/v1/organizations/:org/sample-things`), with permissions and events.\n';

const LIBRARY = 'libs/directory/sample-things/src';

/** The paths of the files of a resource by their templates. The migration is added separately. */
export const FILES = {
  'lib/index.ts': `${LIBRARY}/index.ts`,
  'lib/sample-thing.entity.ts': `${LIBRARY}/sample-thing.entity.ts`,
  'lib/sample-thing.repository.ts': `${LIBRARY}/sample-thing.repository.ts`,
  'lib/sample-thing-errors.ts': `${LIBRARY}/sample-thing-errors.ts`,
  'lib/sample-thing.requests.ts': `${LIBRARY}/sample-thing.requests.ts`,
  'lib/sample-thing.responses.ts': `${LIBRARY}/sample-thing.responses.ts`,
  'lib/sample-things.controller.ts': `${LIBRARY}/sample-things.controller.ts`,
  'lib/sample-things.definitions.ts': `${LIBRARY}/sample-things.definitions.ts`,
  'lib/sample-things.module.ts': `${LIBRARY}/sample-things.module.ts`,
  'lib/sample-things.service.ts': `${LIBRARY}/sample-things.service.ts`,
  'errors/sample_thing_not_found.md': 'docs/errors/sample_thing_not_found.md',
  'errors/sample_thing_name_taken.md': 'docs/errors/sample_thing_name_taken.md',
  'errors/sample_thing_limit.md': 'docs/errors/sample_thing_limit.md',
  'test/sample-things.spec.ts': 'test/e2e/sample-things.spec.ts',
};
