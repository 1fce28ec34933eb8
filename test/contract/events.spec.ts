import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, EVENTS } from '#platform/events';
import { ResponseSchemas } from '../support/response-schemas.js';
import { deliveredBody, generatedDocument } from '../support/operations.js';
import { EVENT_TYPES as SPECIFIED, USER_CREATED_DATA } from '../support/specification-tables.js';

const document = await generatedDocument();
const schemas = new ResponseSchemas(document);

const bodyOf = (type: string) => deliveredBody(document, type);

/** Matches names of fields that can contain a secret. */
const SECRET_NAME = /secret|passw|token|hash|credential|authorization|cookie|^key$|otp|seed|code$/i;
const HARMLESS_NAMES = new Set([
  'lastPasswordChangeAt',
  'passwordPolicy',
  'requirePushedAuthorizationRequests',
  'dpopBoundAccessTokens',
]);
const SECRET_VALUE = /whsec_|_sk_[A-Za-z0-9]{16}|\$argon2|^[0-9a-f]{40,}$|^eyJ|BEGIN [A-Z ]*KEY/;

function secretsIn(value: unknown, path = ''): string[] {
  if (typeof value === 'string') return SECRET_VALUE.test(value) ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(SECRET_NAME.test(name) && !HARMLESS_NAMES.has(name) ? [`${path}/${name}`] : []),
    ...secretsIn(inner, `${path}/${name}`),
  ]);
}

describe('the event catalog', () => {
  it('contains the 26 event types of the specification', () => {
    expect(SPECIFIED).toHaveLength(26);
    expect(EVENT_TYPES).toEqual(expect.arrayContaining([...SPECIFIED]));
    expect(Object.keys(document.webhooks).sort()).toEqual([...EVENT_TYPES].sort());
  });

  it('has groups that the guide for webhooks lists', () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/webhooks.md'), 'utf8');
    const [, listed = ''] = /^\| `events` \|[^(]*[^)]*\)[^(]*\(([^)]*)\)/m.exec(guide) ?? [];
    const groups = new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`));
    expect(new Set(listed.replaceAll('`', '').split(', '))).toEqual(groups);
  });

  it.each(EVENT_TYPES)('has a valid example for %s', (type) => {
    const { schema, example } = bodyOf(type);
    expect(example).toMatchObject({ type, data: EVENTS[type].example });
    expect(schemas.problems(type, schema, example)).toEqual([]);
    for (const field of Object.keys(EVENTS[type].example)) {
      const { [field]: _, ...data } = example['data'] as Record<string, unknown>;
      const optional: readonly string[] = EVENTS[type].optional ?? [];
      expect([field, schemas.problems(type, schema, { ...example, data }).length === 0]).toEqual([
        field,
        optional.includes(field),
      ]);
    }
    expect(schemas.problems(type, schema, { ...example, data: { ...EVENTS[type].example, undocumented: 1 } })).not.toEqual([]);
  });

  it.each(EVENT_TYPES)('contains no secret field in %s', (type) => {
    expect(secretsIn(bodyOf(type).example)).toEqual([]);
    const name = bodyOf(type).schema.$ref!.split('/').at(-1)!;
    const { [name]: payload, [`${name}Data`]: data } = document.components.schemas!;
    expect(payload).toBeDefined();
    expect(data).toBeDefined();
    expect(secretsIn({ payload, data })).toEqual([]);
  });

  it('contains exactly the specified fields of user.created', () => {
    expect(Object.keys(EVENTS['user.created'].example).sort()).toEqual(Object.keys(USER_CREATED_DATA).sort());
  });
});
