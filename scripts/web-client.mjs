import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { projectDir } from './build-if-stale.mjs';
import { webhookOperations } from './package-sources.mjs';

const document = join(projectDir, 'openapi.json');
const apiDir = join(projectDir, 'apps/web/src/api');
const types = join(apiDir, 'schema.gen.ts');
const catalogue = join(apiDir, 'event-catalogue.gen.ts');
const origin = '/* Made from openapi.json by "npm run web:client". */';

/** Makes what the web pages know of the API from `openapi.json`, where it is absent or older: the client's types, and the events. */
export async function makeWebClient() {
  const isCurrent = (file) => existsSync(file) && statSync(file).mtimeMs > statSync(document).mtimeMs;
  if (isCurrent(types) && isCurrent(catalogue)) return;
  const openapi = JSON.parse(readFileSync(document, 'utf8'));
  mkdirSync(apiDir, { recursive: true });
  writeFileSync(catalogue, catalogueOf(openapi));
  writeFileSync(types, `${origin}\n${astToString(await openapiTS(openapi, { defaultNonNullable: false }))}`);
}

function catalogueOf(openapi) {
  const events = webhookOperations(openapi).map(([type, { requestBody }]) => ({
    type,
    group: type.split('.')[0],
    example: requestBody.content['application/json'].example.data,
  }));
  return `${origin}
/** Every type of event: \`example\` is the \`data\` of one. */
export const EVENT_CATALOGUE = ${JSON.stringify(events, null, 2)} as const;
`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await makeWebClient();
