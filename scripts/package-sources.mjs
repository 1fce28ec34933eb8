import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { apiDocument, errorCodes, webhookOperations } from './api-document.mjs';
import { projectDir } from './build-if-stale.mjs';

const inProject = (path) => join(projectDir, path);
const origin = '/* Made from openapi.json by "npm run packages:sources". */\n';
const HTTP_METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const SOURCES = ['openapi.json', 'package.json', 'docs/errors', 'scripts/api-document.mjs', 'scripts/package-sources.mjs'];
const FILES = {
  'packages/client/src/schema.gen.ts': ({ openapi }) => typesOf(withInlineWebhooks(openapi)),
  'packages/client/src/operations.gen.ts': ({ openapi }) => operationsOf(openapi),
  'packages/client/src/problem-codes.gen.ts': () => problemCodes(),
  'packages/webhooks/src/events.gen.ts': ({ openapi }) => eventsOf(openapi),
};

/** Generates the API sources of the published packages from `openapi.json` if they are absent or older. */
export async function makePackageSources() {
  const newestSourceMs = Math.max(...SOURCES.map((path) => statSync(inProject(path)).mtimeMs));
  const isCurrent = (path) => existsSync(inProject(path)) && statSync(inProject(path)).mtimeMs > newestSourceMs;
  if (Object.keys(FILES).every(isCurrent)) return;
  const openapi = apiDocument();
  for (const [path, make] of Object.entries(FILES)) writeFileSync(inProject(path), origin + (await make({ openapi })));
}

/** Returns the TypeScript types of the API. Fields with a default are optional, as in requests. */
async function typesOf(openapi) {
  // Imported only here, because the import takes a second.
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  return astToString(await openapiTS(openapi, { defaultNonNullable: false }));
}

/** Replaces references to webhooks by their operations, because openapi-typescript does not follow the references. */
const withInlineWebhooks = (openapi) => ({
  ...openapi,
  webhooks: Object.fromEntries(webhookOperations(openapi).map(([type, post]) => [type, { post }])),
  components: { ...openapi.components, pathItems: undefined },
});

/** Returns the types of the bodies of deliveries, and a list of all event types. */
async function eventsOf({ openapi, info, webhooks, components }) {
  const bodies = Object.fromEntries(
    webhookOperations({ webhooks, components }).map(([type, { requestBody }]) => [
      type,
      requestBody.content['application/json'].schema,
    ]),
  );
  const schemas = { ...bodies, ...referredTo(bodies, components.schemas) };
  const types = await typesOf({ openapi, info, paths: {}, components: { schemas } });
  return `${types}
/** All types of events. */
export const EVENT_TYPES = ${JSON.stringify(Object.keys(webhooks), null, 2)} as const;
`;
}

/** Returns the schemas that a value refers to, directly or indirectly. */
function referredTo(value, schemas, found = {}) {
  for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found[name]) continue;
    found[name] = schemas[name];
    referredTo(schemas[name], schemas, found);
  }
  return found;
}

/** Generates the table of operations: how each operation is called over HTTP. */
function operationsOf({ paths, components }) {
  const { version } = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    HTTP_METHODS.filter((method) => item[method]?.operationId).map((method) =>
      rowOf(path, method, item[method], components.schemas),
    ),
  );
  return `
/** The version of this package and of the service that it was generated from. */
export const VERSION = ${JSON.stringify(version)};

/** How an operation is called. */
export interface Operation {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
  readonly query?: readonly string[];
  /** Returns a page of a list. */
  readonly list?: true;
  /** Accepts an Idempotency-Key. */
  readonly idempotencyKey?: true;
  /** The media type of the body if it is not JSON. */
  readonly contentType?: string;
}

export const OPERATIONS = {
${rows.join('\n')}
} as const satisfies Record<string, Operation>;
`;
}

function rowOf(path, method, { operationId, summary, parameters = [], requestBody, responses, ...operation }, schemas) {
  const query = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const answer = success?.content?.['application/json']?.schema;
  const types = Object.keys(requestBody?.content ?? { 'application/json': {} });
  const row = {
    method,
    path,
    ...(query.length > 0 && { query }),
    ...(schemas[answer?.$ref?.split('/').at(-1)]?.properties.pagination && { list: true }),
    ...(parameters.some(({ $ref }) => $ref === '#/components/parameters/IdempotencyKey') && { idempotencyKey: true }),
    ...(types.includes('application/json') ? {} : { contentType: types[0] }),
  };
  const permission = operation['x-required-permission'];
  const docstring = `${summary}.${permission ? ` Needs the permission \`${permission}\`.` : ''}`;
  return `  /** ${docstring} \`${method.toUpperCase()} ${path}\` */\n  ${operationId}: ${JSON.stringify(row)},`;
}

function problemCodes() {
  const codes = errorCodes().map((code) => JSON.stringify(code));
  return `/** The codes of errors. Each code has a page under /docs/errors/. */\nexport type ProblemCode =\n  | ${codes.join('\n  | ')};\n`;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await makePackageSources();
