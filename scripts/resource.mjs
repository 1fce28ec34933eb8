import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from './build-if-stale.mjs';
import { addResource, removeResource } from './resource/files.mjs';
import { namesOf } from './resource/names.mjs';

const USAGE =
  'Usage: npm run add:resource -- <plural> [--singular <name>] [--prefix <of its ids>] | npm run remove:resource -- <plural> …';

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

The resource ${names.plural} works: a name and a description, by organization. What is left for you:
- its fields: the entity, the requests and responses, the migration, event-data.ts and catalogue-examples.ts
- the test, test/e2e/${names.plural}.spec.ts; then "npm run openapi" and "npm test"
- who may do it: libs/roles/src/built-in-roles.ts gives all to administrators, reading to viewers
"npm run remove:resource -- ${names.plural}" takes it out again.`);
}

async function remove(names) {
  const paths = await removeResource(projectDir, names);
  writeDocuments();
  console.log(`${paths.join('\n')}

The resource ${names.plural} is out of the code. A database in which its migration ran still has the table.`);
}

/** OpenAPI, the events, the access matrix and the reference follow from the code. In a process of its own, which loads the code as it is now. */
function writeDocuments() {
  const loader = join(projectDir, 'test/support/register-typescript.mjs');
  const { status } = spawnSync(process.execPath, ['--import', loader, join(projectDir, 'scripts/resource/documents.mjs')], {
    cwd: projectDir,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('openapi.json and the pages that follow from the code could not be written: see above.');
}
