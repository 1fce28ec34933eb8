import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './build-if-stale.mjs';

const OAUTH_PATH = /^\/(?:oauth\/|\.well-known\/o)/;

/** Returns the OpenAPI document without the endpoints of OAuth, for which applications use a library for OpenID Connect. */
export function apiDocument() {
  const openapi = JSON.parse(readFileSync(join(projectDir, 'openapi.json'), 'utf8'));
  const { schemas, securitySchemes } = openapi.components;
  for (const path of Object.keys(openapi.paths)) if (OAUTH_PATH.test(path)) delete openapi.paths[path];
  for (const name of Object.keys(schemas)) if (name.startsWith('OAuth')) delete schemas[name];
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
