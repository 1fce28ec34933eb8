import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale, projectDir } from './build-if-stale.mjs';

// Writes openapi.json from the code. Needs no database.
buildIfStale();
const { describeService } = await import('../dist/server/openapi.js');
const path = join(projectDir, 'openapi.json');
writeFileSync(path, `${JSON.stringify(await describeService(), null, 2)}\n`);
console.log(`Wrote ${path}`);
