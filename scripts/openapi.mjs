import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, projectDir } from './build-if-stale.mjs';

// Writes openapi.json and openapi-scim.json from the code. Needs no database.
buildIfStale();
const { describeScim, describeService } = await import('../dist/server/openapi.js');
const documents = { 'openapi.json': await describeService(), 'openapi-scim.json': await describeScim() };
for (const [name, document] of Object.entries(documents)) {
  const path = join(projectDir, name);
  writeFileSync(path, `${JSON.stringify(document, null, 2)}\n`);
  console.log(`Wrote ${path}`);
}
