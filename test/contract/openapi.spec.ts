import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICE_PERMISSIONS } from '#platform/common';
import { generatedDocument, operationsOf, patternsOf, plainSchema, resolved, type Schema } from '../support/operations.js';
import { testApp } from '../support/test-app.js';
import { describeScim } from '../../apps/server/src/openapi/openapi.js';
import { ResponseSchemas } from '../support/response-schemas.js';
import { type ScimClient, startScim } from '../support/scim.js';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);
const REDOCLY = join(ROOT, 'node_modules/.bin/redocly');
const document = await generatedDocument();
const operations = operationsOf(document);
const declaredTags = new Set((document.tags ?? []).map(({ name }) => name));
const schemas = Object.entries((document.components?.schemas ?? {}) as Record<string, Schema>);

/** Matches the paths of schemas that allow any type: values of settings and changed fields. */
const OF_ANY_TYPE = /\/changes\/\*\/(?:from|to)(?:\/value)?$|^ExplainedSettingResponse\/value$/;

/** Returns the paths of schemas without a type. Does not follow references. */
function untyped(schema: Schema, path: string): string[] {
  if (schema.$ref !== undefined) return [];
  const choices = [...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
  const isTyped = schema.type !== undefined || choices.length > 0;
  const bareObject = schema.type === 'object' && !schema.properties && schema.additionalProperties === undefined;
  const bareList = [schema.type].flat().includes('array') && schema.items === undefined;
  return [
    ...(isTyped && !bareObject && !bareList ? [] : [path]),
    ...choices.flatMap((choice, index) => untyped(choice, `${path}/${index}`)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => untyped(inner, `${path}/${name}`)),
    ...(schema.items && Object.keys(schema.items).length > 0 ? untyped(schema.items, `${path}/items`) : []),
    ...(typeof schema.additionalProperties === 'object' ? untyped(schema.additionalProperties, `${path}/*`) : []),
  ];
}

/** Returns whether the schema has an example, a fixed set of values, or properties with examples. */
function isExemplified(schema: Schema): boolean {
  if ([schema.example, schema.enum, schema.const].some((shown) => shown !== undefined) || 'default' in schema) return true;
  const plain = plainSchema(document, schema);
  return (
    plain.type === 'boolean' || plain.properties !== undefined || plain.items?.$ref !== undefined || plain.oneOf !== undefined
  );
}

describe('the OpenAPI document', () => {
  it('equals the committed openapi.json', () => {
    expect(JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8'))).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it.each(operations)('describes $id', (operation) => {
    const { id, isPublic, permission, security, responses, tags, summary } = operation;
    expect(id).toMatch(/^[a-z][A-Za-z]+$/);
    expect(summary).toMatch(/^[A-Z].{3,}[^.]$/);
    expect(tags.filter((tag) => declaredTags.has(tag))).toHaveLength(1);
    if (isPublic || operation.isOwnAccount) expect(permission).toBeUndefined();
    if (operation.isOwnAccount) expect(security).toEqual([{ sessionToken: [] }, { sessionCookie: [] }]);
    else if (!isPublic) {
      expect(security).toEqual([{ apiKey: [] }, { sessionToken: [] }, { sessionCookie: [] }]);
      expect(SERVICE_PERMISSIONS).toContain(permission);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403']));
    }
    const refusals = Object.entries(responses).filter(([status]) => status.startsWith('4'));
    for (const [, response] of refusals) {
      expect(resolved(document, response).content?.['application/problem+json']?.schema).toEqual({
        $ref: '#/components/schemas/ProblemResponse',
      });
    }
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    for (const [status, { content, description }] of successes)
      expect([description !== '', status === '204' || content !== undefined]).toEqual([true, true]);
    for (const parameter of operation.parameters)
      expect([parameter.name, parameter.schema.type !== undefined, parameter.description !== '']).toEqual([
        parameter.name,
        true,
        true,
      ]);
  });

  it('declares Session-Transport for each operation that returns a session token', () => {
    const tokenIn = ({ responses }: (typeof operations)[number]): boolean =>
      Object.values(responses).some(({ content }) => {
        const { data } = plainSchema(document, content?.['application/json']?.schema ?? {}).properties ?? {};
        return data !== undefined && plainSchema(document, data).properties?.['sessionToken'] !== undefined;
      });
    const opening = operations.filter(tokenIn);
    expect(opening.length).toBeGreaterThan(7);
    // A browser calls completeOidcSignIn through a redirect and sends neither of the two headers.
    const accepting = opening.filter(({ id }) => id !== 'completeOidcSignIn');
    const hasParameter = ({ parameters }: (typeof operations)[number], wanted: string): boolean =>
      parameters.some(({ name }) => name.toLowerCase() === wanted);
    expect(accepting.filter((operation) => !hasParameter(operation, 'session-transport')).map(({ id }) => id)).toEqual([]);
    expect(accepting.filter((operation) => hasParameter(operation, 'idempotency-key')).map(({ id }) => id)).toEqual([]);
  });

  it('lets servers send the address of the end user with every public operation of their own sign-in pages', () => {
    // Only pages of the service use the others.
    const others = ['completeOidcSignIn', 'getApplicationLogo', 'getLogo', 'openOperatorSession', 'openSetupLink'];
    const accepts = ({ parameters }: (typeof operations)[number]): boolean =>
      parameters.some(({ name }) => name === 'Client-Address');
    expect(
      operations
        .filter((operation) => operation.path.startsWith('/v1/auth/') && operation.isPublic !== accepts(operation))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(others);
    for (const { security } of operations.filter(accepts)) expect(security).toEqual([{}, { apiKey: [] }]);
  });

  it('has a type for every property', () => {
    const paths = schemas.flatMap(([name, schema]) => untyped(schema, name));
    expect(paths.filter((path) => !OF_ANY_TYPE.test(path))).toEqual([]);
  });

  it('contains only patterns that every programming language supports', () => {
    const patterns = patternsOf(document);
    expect(patterns.length).toBeGreaterThan(10);
    // The meaning of `.`, `\d`, `\w` and `\b` differs between programming languages.
    const differs = patterns.filter((pattern) => /\\[dDwWbB]|\./.test(pattern.replace(/\\\.|\[(?:[^\]\\]|\\[^dDwW])*\]/g, '')));
    expect(differs).toEqual([]);
  });

  it('has an example for every property that requires one', () => {
    const withoutExample = schemas.flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {})
        .filter(
          ([property, inner]) =>
            !isExemplified(inner) && (!/(?:Request|Configuration)$/.test(name) || schema.required?.includes(property)),
        )
        .map(([property]) => `${name}/${property}`),
    );
    expect(withoutExample).toEqual([]);
  });

  it('fulfills the recommended rules of Redocly, as the document of SCIM does', async () => {
    const environment = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const documents = ['openapi.json', 'openapi-scim.json'];
    const { stdout } = await run(REDOCLY, ['lint', ...documents, '--format=json'], { cwd: ROOT, env: environment });
    // Redocly prints one JSON object after the other.
    const [service, scim] = JSON.parse(`[${stdout.replaceAll(/^\}\s*\{/gm, '},{')}]`);
    // The committed document has the server URL of the default configuration: localhost.
    const rules = service.problems.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(rules.filter((rule: string) => rule !== 'no-server-example.com')).toEqual([]);
    expect([service.totals.errors, scim.totals.errors]).toEqual([0, 0]);
  });
});

const scimDocument = await describeScim();

describe('the OpenAPI document of SCIM', () => {
  const app = testApp();
  let scim: ScimClient;

  beforeAll(async () => {
    ({ scim } = await startScim(app, 'Documented'));
  });

  it('equals the committed openapi-scim.json, and is served beside the document of the service', async () => {
    const committed = JSON.parse(readFileSync(join(ROOT, 'openapi-scim.json'), 'utf8'));
    expect(committed).toEqual(JSON.parse(JSON.stringify(scimDocument)));
    const served = async (path: string) => (await app.api.anonymous.get(path).expect(200)).body;
    expect(Object.keys((await served('/openapi-scim.json')).paths)).toEqual(Object.keys(committed.paths));
    expect(await served('/openapi.json')).toEqual(JSON.parse(JSON.stringify(document)));
    expect(document.paths).not.toHaveProperty(['/scim/v2/{connection}/Users']);
  });

  it('describes the resources and errors', async () => {
    const schemas = new ResponseSchemas(scimDocument as never);
    const problems = (name: string, body: unknown) => schemas.problems(name, { $ref: `#/components/schemas/${name}` }, body);
    const user = (await scim.post('/Users', { userName: 'jane@example.com', title: 'x' }).expect(201)).body;
    const group = (await scim.post('/Groups', { displayName: 'G', members: [{ value: user.id }] }).expect(201)).body;
    expect(problems('User', user)).toEqual([]);
    expect(problems('Group', group)).toEqual([]);
    expect(problems('UserList', (await scim.get('/Users').expect(200)).body)).toEqual([]);
    expect(problems('Error', (await scim.get('/Users/unknown').expect(404)).body)).toEqual([]);
  });
});

const SECRET_NAME =
  /secret|password|token|credential|otp|seed|hash|sealed|cipher|private|^key$|codes$|authorizationUrl|^ur[il]$/i;

/** Operations that must return a secret, by field. The caller creates the secret or is allowed to create a new secret. */
const ISSUED_SECRETS: Record<string, string> = {
  'data.key': 'createApiKey rotateApiKey',
  'data.secret':
    'beginTotp createWebhook getWebhookSecret rotateWebhookSecret createOauthClient createOauthClientSecret createPlatformOauthClient createPlatformOauthClientSecret updatePasswordMigration',
  'data.nextSecret': 'getWebhookSecret rotateWebhookSecret',
  'data.recoveryCodes': 'confirmEmailCodes confirmSmsCodes confirmTotp registerPasskey renewRecoveryCodes',
  'data.sessionToken':
    'login loginWithPasskey verifyMfa completeOidcSignIn completeOidcSignInWithToken confirmEmailCodes confirmSmsCodes confirmTotp registerPasskey startImpersonation',
  'data.challengeToken': 'login loginWithPasskey verifyMfa completeOidcSignIn completeOidcSignInWithToken beginReauthentication',
  'data.accessToken': 'issueAccessToken',
  'data.authorizationUrl': 'startOidcSignIn',
  'data.bindingToken': 'startOidcSignIn',
  'data.uri': 'beginTotp',
  'data.token': 'createScimToken rotateScimToken',
  'data.url': 'createOperatorLink createSetupLink',
};

/** Fields that match `SECRET_NAME` but are not secret: masked values, public values, times, and addresses of webhooks. */
const HARMLESS = new Set([
  ...['createWebhook', 'getWebhook', 'listWebhooks', 'updateWebhook'].map((id) => `${id} data.url`),
  ...['getReachableWebhook', 'listReachableWebhooks', 'updateReachableWebhook'].map((id) => `${id} data.url`),
  'getDelivery data.attempts.request.url',
  ...['listNotifications', 'listOwnNotifications'].map((id) => `${id} data.url`),
  'getLogoutDelivery data.attempts.url',
  // Only the response to the request that creates the secret has it.
  'getPasswordMigration data.secret',
  'getPasswordMigration data.url',
  'updatePasswordMigration data.url',
  ...['getWebhook', 'listWebhooks', 'updateWebhook'].map((id) => `${id} data.secret`),
  ...['getReachableWebhook', 'listReachableWebhooks', 'updateReachableWebhook'].map((id) => `${id} data.secret`),
  ...['getEvent', 'listEvents'].map((id) => `${id} data.chainHash`),
  ...['anchors', 'from', 'head', 'to'].map((path) => `verifyEvents data.${path}.hash`),
  ...['getMe', 'getUser'].map((id) => `${id} data.lastPasswordChangeAt`),
  // Ids, times and counts.
  ...['exportMyData', 'exportUserData'].flatMap((id) =>
    ['passkeys.credentialId', 'passwords', 'profile.lastPasswordChangeAt', 'recoveryCodes'].map((path) => `${id} ${path}`),
  ),
  'issueAccessToken data.tokenType',
  // References to the environment stand for secrets.
  ...['identityProviders.clientSecret', 'oauthClients.idTokenAlgorithm', 'webhooks.secret', 'webhooks.url'].map(
    (path) => `getConfiguration data.organizations.${path}`,
  ),
  ...['create', 'get', 'list', 'update'].flatMap((verb) =>
    ['OauthClient', 'PlatformOauthClient'].map((name) => `${verb}${name}${verb === 'list' ? 's' : ''} data.idTokenAlgorithm`),
  ),
]);

/** Returns the paths of the strings and arrays in a schema whose names match `SECRET_NAME`. */
function secretPathsOf(schema: Schema, at = '', ancestors: readonly Schema[] = []): string[] {
  const target = schema.$ref ? resolved(document, schema) : schema;
  if (ancestors.includes(target)) return [];
  const schemasInPath = [...ancestors, target];
  const properties = Object.entries(target.properties ?? {}).flatMap(([name, property]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const isValue = ['string', 'array'].includes(plainSchema(document, property).type);
    return [...(SECRET_NAME.test(name) && isValue ? [path] : []), ...secretPathsOf(property, path, schemasInPath)];
  });
  const others = [...(target.allOf ?? []), ...(target.oneOf ?? []), ...(target.items ? [target.items] : [])];
  return [...properties, ...others.flatMap((other) => secretPathsOf(other, at, schemasInPath))];
}

describe('a response', () => {
  it('contains a secret only if the operation issues the secret', () => {
    const found = operations.flatMap(({ id, responses }) =>
      Object.values(responses).flatMap(({ content }) =>
        Object.values(content ?? {}).flatMap(({ schema }) => secretPathsOf(schema).map((path) => `${id} ${path}`)),
      ),
    );
    const issued = Object.entries(ISSUED_SECRETS).flatMap(([path, ids]) => ids.split(' ').map((id) => `${id} ${path}`));
    expect([...new Set(found)].filter((each) => !HARMLESS.has(each)).toSorted()).toEqual(issued.toSorted());
  });
});
