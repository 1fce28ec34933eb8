import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';

const projectDir = join(import.meta.dirname, '..');
const document = join(projectDir, 'openapi.json');
const types = join(projectDir, 'apps/web/src/api/schema.gen.ts');

/** Makes the types of the web pages' client from `openapi.json`, where they are absent or older. */
export async function makeWebClient() {
  if (existsSync(types) && statSync(types).mtimeMs > statSync(document).mtimeMs) return;
  const ast = await openapiTS(JSON.parse(readFileSync(document, 'utf8')), { defaultNonNullable: false });
  mkdirSync(join(types, '..'), { recursive: true });
  writeFileSync(types, `/* Made from openapi.json by "npm run web:client". */\n${astToString(ast)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await makeWebClient();
