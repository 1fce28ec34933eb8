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
- add its fields: entity, requests and responses, migration, and the data of its events in ${names.plural}.definitions.ts
- check the permissions in ${names.plural}.definitions.ts: administrators have all of them, viewers can read
- extend the test, test/e2e/${names.plural}.spec.ts, then run "npm run openapi" and "npm test"
Remove it with "npm run remove:resource -- ${names.plural}".`);
}

async function remove(names) {
  const paths = await removeResource(projectDir, names);
  writeDocuments();
  console.log(`${paths.join('\n')}

Removed the resource ${names.plural} from the code. A database in which its migration ran still has the table.`);
}

/** Writes the documents that are generated from the code, in another process, which loads the changed code. */
function writeDocuments() {
  const loader = join(projectDir, 'test/support/register-typescript.mjs');
  const { status } = spawnSync(process.execPath, ['--import', loader, join(projectDir, 'scripts/resource/documents.mjs')], {
    cwd: projectDir,
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('openapi.json and the generated pages could not be written; see above.');
}
