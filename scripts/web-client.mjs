import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';
import { makeEventCatalog } from './event-catalog.mjs';

// Generates the API sources of the web pages from `openapi.json` if they are absent or older: the events, and the types of the
// client, which only the type checker reads.
const document = join(projectDir, 'openapi.json');
const types = join(projectDir, 'apps/web/src/api/schema.gen.ts');
makeEventCatalog();
if (!existsSync(types) || statSync(types).mtimeMs <= statSync(document).mtimeMs) {
  // Imported only here, because the import takes a second.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const openapi = JSON.parse(readFileSync(document, 'utf8'));
  const source = astToString(await openapiTS(openapi, { defaultNonNullable: false }));
  writeFileSync(types, `/* Made from openapi.json by "npm run web:client". */\n${source}`);
}
