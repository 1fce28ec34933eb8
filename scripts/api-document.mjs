import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

const PROTOCOL_PATH = /^\/(?:oauth\/|ssf\/|\.well-known\/(?:o|ssf-))/;
const PROTOCOL_SCHEMA = /^(?:OAuth|SharedSignals)/;

/** Returns the OpenAPI document without the endpoints of OAuth and of shared signals, for which programs use libraries of these standards. */
export function apiDocument() {
  const openapi = JSON.parse(readFileSync(join(projectDir, 'openapi.json'), 'utf8'));
  const { schemas, securitySchemes } = openapi.components;
  for (const path of Object.keys(openapi.paths)) if (PROTOCOL_PATH.test(path)) delete openapi.paths[path];
  for (const name of Object.keys(schemas)) if (PROTOCOL_SCHEMA.test(name)) delete schemas[name];
  for (const name of ['clientSecretBasic', 'oauthAccessToken']) delete securitySchemes[name];
  return openapi;
}

/** Returns the OpenAPI operation of the webhook of each event type. */
export const webhookOperations = ({ webhooks, components }) =>
  Object.entries(webhooks).map(([type, { $ref }]) => [type, components.pathItems[$ref.split('/').at(-1)].post]);

/** Returns the codes of all errors. Each code has a documentation page of the same name. */
export const errorCodes = () =>
  readdirSync(join(projectDir, 'docs/errors'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -3))
    .sort();
