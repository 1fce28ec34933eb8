import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from './build-if-stale.mjs';
import { addResource, removeResource } from './resource/files.mjs';
import { namesOf } from './resource/names.mjs';

const USAGE =
  'Usage: npm run add:resource -- <plural> [--singular <name>] [--prefix <id prefix>] | npm run remove:resource -- <plural> …';

try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { singular: { type: 'string' }, prefix: { type: 'string' } },
  });
  const [action, plural, ...rest] = positionals;
  const run = { add, remove }[action];
  if (!run || !plural || rest.length > 0) throw new Error(USAGE);
  await run(namesOf(plural, values));
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

async function add(names) {
  const paths = await addResource(projectDir, names);
  writeDocuments();
  console.log(`${paths.join('\n')}

Added the resource ${names.plural}, with a name and a description, for each organization. Next steps:
- add its fields: entity, requests and responses, migration, event-data.ts and catalogue-examples.ts
- extend the test, test/e2e/${names.plural}.spec.ts, then run "npm run openapi" and "npm test"
- translate the names of its events: apps/web/src/texts/de.json
- check the permissions: libs/directory/roles/src/built-in-roles.ts grants everything to administrators and reading to viewers
Remove it with "npm run remove:resource -- ${names.plural}".`);
}

async function remove(names) {
  const paths = await removeResource(projectDir, names);
  writeDocuments();
  console.log(`${paths.join('\n')}

Removed the resource ${names.plural} from the code. A database in which its migration ran still has the table.`);
}

/** OpenAPI, the events, the access matrix and the reference follow from the code. In a process of its own, which loads the code as it is now. */
function writeDocuments() {
  const loader = join(projectDir, 'test/support/register-typescript.mjs');
  const { status } = spawnSync(process.execPath, ['--import', loader, join(projectDir, 'scripts/resource/documents.mjs')], {
    cwd: projectDir,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('openapi.json and the generated pages could not be written; see above.');
}
