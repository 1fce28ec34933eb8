import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, projectDir } from './build-if-stale.mjs';

// Writes the OpenAPI document that is committed, from the code as it is. Needs no database.
buildIfStale();
const { describeService } = await import('../dist/server/openapi.js');
const path = join(projectDir, 'openapi.json');
writeFileSync(path, `${JSON.stringify(await describeService(), null, 2)}\n`);
console.log(`Wrote ${path}`);
