import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { EVENT_TYPES, EVENTS, eventPayload, type EventPayload, type EventType } from '#platform/events';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { Ajv, type AnySchema } from 'ajv';
import formats from 'ajv-formats';
import type { TestBody } from '../../../../test/support/http-client.js';
import { EVENT_FORMATS, findFormat, FORMAT_NAMES } from './index.js';
// Libraries define their events when the server loads them.
import '../../../../apps/server/src/server.module.js';

const VECTORS = join(import.meta.dirname, '../../../../test/support/vectors');
const vector = (name: string) => JSON.parse(readFileSync(join(VECTORS, name), 'utf8')) as Record<string, unknown>;

const SERVICE = { name: 'service', baseUrl: 'https://id.example.com' };
const WEBHOOK_ID = 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx';
const AT = '2026-01-15T10:00:00.250Z';
const HOUR_MS = 3_600_000;
const USER = 'usr_01kf2b8v3cf5h9r4n0j7d2q6xw';
const JANE = { type: 'user', id: 'usr_01kf2b8v3cf5h9r4n0j7d2q6xz', email: 'jane.doe@example.com' } as const;

/** Returns the example of an event type, caused by a user with an address. */
function example(type: EventType, changes: object = {}): EventPayload {
  const ctx = {
    actor: JANE,
    caller: { kind: 'user', permissions: [] },
    requestId: 'req_1',
    ipAddress: '203.0.113.7',
    userAgent: 'curl/8.5.0',
    source: 'api',
  } as unknown as Parameters<typeof eventPayload>[0];
  const organization = { id: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd', name: 'Acme' };
  return { ...eventPayload(ctx, type, organization, EVENTS[type].example, new Date(AT)), ...changes };
}

/** Returns the document of an event, as a receiver parses it. */
function encode(name: string, event: EventPayload | EventType, nowMs = Date.parse(AT) + 1_500): TestBody {
  const payload = JSON.stringify(typeof event === 'string' ? example(event) : event);
  const document = findFormat(name)!.documentOf({ payload, webhookId: WEBHOOK_ID, nowMs }, SERVICE);
  return JSON.parse(JSON.stringify(document));
}

/** Returns the problems of the documents of all event types. */
function problemsOfAll(name: string, validate: ReturnType<Ajv['compile']>): unknown[] {
  return EVENT_TYPES.flatMap((type) => (validate(encode(name, type)) ? [] : [[type, validate.errors]]));
}

const compile = (schema: AnySchema) => formats.default(new Ajv2020({ strict: false })).compile(schema);
const text = (event: EventPayload): string => JSON.stringify(event);

describe('the formats', () => {
  it('have names that stay the same, because webhooks store them', () => {
    expect(FORMAT_NAMES).toEqual(['service', 'cloudevents', 'set', 'splunk_hec', 'datadog', 'elastic', 'ocsf']);
  });

  it.each(EVENT_FORMATS.map(({ name }) => name))('%s meets its schema for every event type', (name) => {
    expect(problemsOfAll(name, compile(findFormat(name)!.schema))).toEqual([]);
  });

  it.each(EVENT_FORMATS.map(({ name }) => name))('%s encodes events without actor, metadata and personal data', (name) => {
    const validate = compile(findFormat(name)!.schema);
    for (const type of EVENT_TYPES) {
      const redacted = example(type, { data: {}, actor: undefined, metadata: undefined });
      expect([type, validate(encode(name, redacted)), validate.errors]).toEqual([type, true, null]);
    }
  });

  it.each(EVENT_FORMATS.map(({ name }) => name))('%s encodes an event type that this release does not have', (name) => {
    const unknown = example('user.created', { type: 'badge.polished', data: { id: 'badge_1', name: 'Gold' } });
    expect(compile(findFormat(name)!.schema)(encode(name, unknown))).toBe(true);
  });

  it.each(EVENT_FORMATS.map(({ name }) => name))('%s is the same in each attempt, except for the time of the attempt', (name) => {
    const event = example('user.created');
    const { iat: _, ...first } = encode(name, event);
    const { iat: __, ...second } = encode(name, event, Date.parse(AT) + HOUR_MS);
    expect(second).toEqual(first);
  });
});

describe('cloudevents', () => {
  it('meets the JSON Schema of the specification', () => {
    const validate = formats.default(new Ajv({ strict: false })).compile(vector('cloudevents-1.0.schema.json'));
    expect(problemsOfAll('cloudevents', validate)).toEqual([]);
  });

  it('names the organization as source and the user as subject, and contains the event', () => {
    const event = example('role.assigned');
    expect(encode('cloudevents', event)).toEqual({
      specversion: '1.0',
      id: event.id,
      source: 'https://id.example.com/v1/organizations/org_01kf2b7m9ze4k8s1t6w3a5y0pd',
      type: 'role.assigned',
      subject: USER,
      time: AT,
      datacontenttype: 'application/json',
      organizationid: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd',
      data: JSON.parse(text(event)),
    });
  });

  // Section 3.1 of the specification: attribute names have only lowercase letters and digits, at most 20.
  it.each(EVENT_TYPES)('has valid names of attributes (%s)', (type) => {
    for (const name of Object.keys(encode('cloudevents', type))) expect(name).toMatch(/^[a-z0-9]{1,20}$/);
  });
});

describe('set', () => {
  it('has the claims of RFC 8417, with the id of the event as jti and the webhook as audience', () => {
    const event = example('user.suspended');
    expect(encode('set', event)).toEqual({
      iss: 'https://id.example.com',
      aud: WEBHOOK_ID,
      iat: Math.floor(Date.parse(AT) / 1_000) + 1,
      jti: event.id,
      toe: Math.floor(Date.parse(AT) / 1_000),
      txn: 'req_1',
      sub_id: { format: 'iss_sub', iss: 'https://id.example.com', sub: USER },
      events: { 'https://id.example.com/events/user.suspended': JSON.parse(text(event)) },
    });
  });

  it('names another resource than a user as an opaque subject', () => {
    expect(encode('set', 'webhook.created').sub_id).toEqual({ format: 'opaque', id: EVENTS['webhook.created'].example.id });
  });

  // RFC 8417, sections 2.2 and 4: receivers of ID tokens and access tokens must not accept the token.
  it.each(EVENT_TYPES)('has neither sub nor exp nor nonce (%s)', (type) => {
    for (const claim of ['sub', 'exp', 'nonce', 'client_id', 'scope']) expect(encode('set', type)).not.toHaveProperty(claim);
  });
});

describe('splunk_hec', () => {
  // https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector
  it('has the metadata keys of the HTTP Event Collector, with the time in seconds', () => {
    const event = example('user.created');
    expect(encode('splunk_hec', event)).toEqual({
      time: Date.parse(AT) / 1_000,
      host: 'id.example.com',
      source: 'service',
      sourcetype: '_json',
      event: JSON.parse(text(event)),
    });
  });
});

describe('datadog', () => {
  // The schema HTTPLog of Datadog's API v2: an array of items with texts and `message`; other fields are attributes.
  const HTTP_LOG = {
    type: 'array',
    items: {
      type: 'object',
      required: ['message'],
      properties: Object.fromEntries(
        ['ddsource', 'ddtags', 'hostname', 'message', 'service'].map((n) => [n, { type: 'string' }]),
      ),
    },
  };

  it('meets the schema of the logs intake', () => {
    expect(problemsOfAll('datadog', compile(HTTP_LOG))).toEqual([]);
  });

  it('has the standard attributes of Datadog', () => {
    const event = example('user.login_failed');
    expect(encode('datadog', event)).toEqual([
      {
        ddsource: 'service',
        ddtags: 'organization_id:org_01kf2b7m9ze4k8s1t6w3a5y0pd,event_type:user.login_failed',
        hostname: 'id.example.com',
        service: 'service',
        message: 'A sign-in failed.',
        status: 'warn',
        timestamp: AT,
        evt: { id: event.id, name: 'user.login_failed', outcome: 'failure' },
        usr: { id: USER, email: 'ada@example.com' },
        network: { client: { ip: '203.0.113.7' } },
        http: { useragent: 'curl/8.5.0', request_id: 'req_1' },
        organization: { id: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd', name: 'Acme' },
        event: JSON.parse(text(event)),
      },
    ]);
  });

  it('has no time that Datadog rejects after a late retry', () => {
    const [late] = encode('datadog', 'user.created', Date.parse(AT) + 18 * HOUR_MS) as unknown as TestBody[];
    expect(late).not.toHaveProperty('timestamp');
    expect(late!['event'].timestamp).toBe(AT);
    const [inTime] = encode('datadog', 'user.created', Date.parse(AT) + 18 * HOUR_MS - 1) as unknown as TestBody[];
    expect(inTime!['timestamp']).toBe(AT);
  });
});

describe('elastic', () => {
  const { fields } = vector('ecs-8.17.0.json') as unknown as {
    fields: Record<string, { type: string; array?: true; values?: string[] | Record<string, string[]> }>;
  };

  /** Returns the leaves of a document with their paths. */
  function leaves(value: unknown, path = ''): [string, unknown][] {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, value]];
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, path === '' ? key : `${path}.${key}`));
  }

  it.each(EVENT_TYPES)('has only fields of the schema, with allowed values (%s)', (type) => {
    for (const [path, value] of leaves(encode('elastic', type))) {
      const field = fields[path];
      expect([path, field]).toEqual([path, expect.anything()]);
      if (path === 'ecs.version') continue;
      expect([path, Array.isArray(value)]).toEqual([path, field!.array === true]);
      const allowed = field!.values && (Array.isArray(field!.values) ? field!.values : Object.keys(field!.values));
      for (const each of [value].flat()) {
        expect(typeof each).toBe('string');
        if (allowed) expect(allowed).toContain(each);
      }
    }
  });

  it.each(EVENT_TYPES)('has types that the schema expects of the category (%s)', (type) => {
    const { event } = encode('elastic', type);
    const expected = (fields['event.category']!.values as Record<string, string[]>)[event.category[0]];
    for (const each of event.type) expect(expected).toContain(each);
  });

  it('has the user who acts and the user that the event is about', () => {
    const event = example('user.suspended');
    expect(encode('elastic', event)).toEqual({
      '@timestamp': AT,
      message: 'A user was suspended.',
      ecs: { version: '8.17.0' },
      event: {
        id: event.id,
        action: 'user.suspended',
        kind: 'event',
        category: ['iam'],
        type: ['user', 'change'],
        outcome: 'success',
        dataset: 'service.events',
        provider: 'service',
        original: text(event),
      },
      organization: { id: 'org_01kf2b7m9ze4k8s1t6w3a5y0pd', name: 'Acme' },
      user: {
        id: JANE.id,
        email: JANE.email,
        target: { id: USER, email: 'ada@example.com', full_name: EVENTS['user.suspended'].example.displayName },
      },
      source: { ip: '203.0.113.7' },
      user_agent: { original: 'curl/8.5.0' },
      http: { request: { id: 'req_1' } },
      service: { name: 'service' },
      related: { ip: ['203.0.113.7'], user: [USER, JANE.id] },
    });
  });

  it.each([
    ['user.login', 'authentication', ['start'], 'success'],
    ['user.login_failed', 'authentication', ['start'], 'failure'],
    ['user.logout', 'authentication', ['end'], 'success'],
    ['security.session_revoked', 'session', ['end'], 'success'],
    ['role.revoked', 'iam', ['user', 'change'], 'success'],
    ['group.member_added', 'iam', ['group', 'change'], 'success'],
    ['security.api_key_created', 'iam', ['creation'], 'success'],
    ['webhook.deleted', 'configuration', ['deletion'], 'success'],
    ['security.suspicious_activity', 'intrusion_detection', ['info'], 'success'],
  ] as const)('categorizes %s as %s %j', (type, category, types, outcome) => {
    expect(encode('elastic', type).event).toMatchObject({ category: [category], type: types, outcome });
  });
});

describe('ocsf', () => {
  const official = compile(vector('ocsf-1.5.0.schema.json'));

  it('meets the schema of the classes and objects of OCSF 1.5.0', () => {
    expect(problemsOfAll('ocsf', official)).toEqual([]);
    const redacted = EVENT_TYPES.map((type) => example(type, { data: {}, actor: undefined, metadata: undefined }));
    for (const event of redacted)
      expect([event.type, official(encode('ocsf', event)), official.errors]).toEqual([event.type, true, null]);
  });

  it.each(EVENT_TYPES)('derives the category and type from class and activity (%s)', (type) => {
    const { class_uid: uid, category_uid: category, activity_id: activity, type_uid: typeUid } = encode('ocsf', type);
    expect(category).toBe(Math.floor(uid / 1_000));
    expect(typeUid).toBe(uid * 100 + activity);
  });

  it.each([
    ['user.created', 3001, 1],
    ['user.suspended', 3001, 5],
    ['user.deleted', 3001, 6],
    ['user.updated', 3001, 99],
    ['user.mfa_disabled', 3001, 11],
    ['user.login', 3002, 1],
    ['user.logout', 3002, 2],
    ['oauth_session.ended', 3002, 2],
    ['role.assigned', 3005, 1],
    ['organization.member_removed', 3005, 2],
    ['group.created', 3006, 6],
    ['group.member_added', 3006, 3],
    ['group.role_revoked', 3006, 2],
    ['organization.updated', 3004, 3],
    ['organization.moved', 3004, 5],
    ['security.api_key_revoked', 3004, 4],
    ['webhook.secret_revealed', 3004, 2],
    ['security.suspicious_activity', 2004, 1],
  ] as const)('maps %s to the class %i and the activity %i', (type, uid, activity) => {
    expect(encode('ocsf', type)).toMatchObject({ class_uid: uid, activity_id: activity });
  });

  it('has who acted, the user, the role and where the request came from', () => {
    const event = example('role.assigned');
    expect(encode('ocsf', event)).toMatchObject({
      time: Date.parse(AT),
      severity_id: 1,
      status_id: 1,
      user: { uid: USER, email_addr: 'ada@example.com' },
      privileges: ['admin'],
      actor: { user: { uid: JANE.id, email_addr: JANE.email } },
      src_endpoint: { ip: '203.0.113.7' },
      metadata: { uid: event.id, event_code: 'role.assigned', product: { vendor_name: 'service' } },
      raw_data: text(event),
    });
  });

  it('has the failure of a sign-in and the severity of suspicious activity', () => {
    expect(encode('ocsf', 'user.login_failed')).toMatchObject({ status_id: 2, status_detail: 'wrong_password', severity_id: 2 });
    expect(encode('ocsf', 'security.suspicious_activity')).toMatchObject({
      severity_id: 4,
      finding_info: { title: 'many_failures' },
    });
  });

  it.each([
    ['the name of an API key', { type: 'api', id: 'key_1', name: 'backend' }, { app_uid: 'key_1', app_name: 'backend' }],
    ['the service', { type: 'system' }, { app_name: 'service' }],
    [
      'a user and the application that acted for the user',
      { ...JANE, client: { id: 'app_1', name: 'Billing' } },
      { user: expect.objectContaining({ uid: JANE.id }), app_uid: 'app_1', app_name: 'Billing' },
    ],
  ])('names %s as actor', (_, actor, expected) => {
    expect(encode('ocsf', example('user.created', { actor })).actor).toEqual(expected);
  });
});
