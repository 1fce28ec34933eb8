import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { webhookOperations } from './api-document.mjs';
import { projectDir } from './build-if-stale.mjs';

const DOCUMENT = join(projectDir, 'openapi.json');
const CATALOG = join(projectDir, 'apps/web/src/api/event-catalog.gen.ts');

/** Writes every event type with an example and the formats of webhooks, for the web pages, if the file is absent or older than `openapi.json`. */
export function makeEventCatalog() {
  if (existsSync(CATALOG) && statSync(CATALOG).mtimeMs > statSync(DOCUMENT).mtimeMs) return;
  const document = JSON.parse(readFileSync(DOCUMENT, 'utf8'));
  const formats = document.components.schemas.WebhookResponse.properties.format.enum;
  const events = webhookOperations(document).map(([type, { requestBody }]) => ({
    type,
    group: type.split('.')[0],
    example: requestBody.content['application/json'].example.data,
  }));
  mkdirSync(dirname(CATALOG), { recursive: true });
  writeFileSync(
    CATALOG,
    `/* Made from openapi.json by "npm run web:client". */
/** All event types. \`example\` is an example of \`data\`. */
export const EVENT_CATALOG = ${JSON.stringify(events, null, 2)} as const;

/** The formats in which webhooks receive events. */
export const EVENT_FORMATS = ${JSON.stringify(formats)} as const;
`,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) makeEventCatalog();
