import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { SERVICE_PERMISSIONS } from '#platform/common';
import { generatedDocument, operationsOf, patternsOf, plainSchema, resolved, type Schema } from '../support/operations.js';
import { testApp } from '../support/test-app.js';

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

  it('has a unique ID for each operation', () => {
    const ids = operations.map(({ id }) => id);
    expect(ids.filter((id, index) => !/^[a-z][A-Za-z]+$/.test(id) || ids.indexOf(id) !== index)).toEqual([]);
    expect(operations.length).toBeGreaterThan(45);
  });

  it.each(operations)('describes $id', (operation) => {
    const { permission, security, responses, tags, summary } = operation;
    expect(summary).toMatch(/^[A-Z].{3,}[^.]$/);
    expect(tags.filter((tag) => declaredTags.has(tag))).toHaveLength(1);
    if (security?.length === 0 || operation.isOwnAccount) expect(permission).toBeUndefined();
    if (operation.isOwnAccount) expect(security).toEqual([{ sessionToken: [] }, { sessionCookie: [] }]);
    else if (security?.length !== 0) {
      expect(security).toEqual([{ apiKey: [] }, { sessionToken: [] }, { sessionCookie: [] }]);
      expect(SERVICE_PERMISSIONS).toContain(permission);
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '403']));
    }
    const refusals = Object.entries(responses).filter(([status]) => status.startsWith('4'));
    expect(refusals.length).toBeGreaterThan(0);
    for (const [, response] of refusals) {
      expect(resolved(document, response).content?.['application/problem+json']?.schema).toEqual({
        $ref: '#/components/schemas/ProblemResponse',
      });
    }
    const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
    for (const [status, { content, description }] of successes)
      expect([description !== '', status === '204' || content !== undefined]).toEqual([true, true]);
    expect(successes.length).toBeGreaterThan(0);
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
          ([property, inner]) => !isExemplified(inner) && (!name.endsWith('Request') || schema.required?.includes(property)),
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

  describe('GET /openapi.json', () => {
    const app = testApp();

    it('returns the generated document', async () => {
      const { body } = await app.api.anonymous.get('/openapi.json').expect(200);
      expect(body).toEqual(JSON.parse(JSON.stringify(document)));
    });
  });
});
