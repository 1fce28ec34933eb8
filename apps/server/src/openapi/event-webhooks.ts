import { EVENT_TYPES, EVENTS, eventPayload, type EventType } from '#events';

type Schema = Record<string, unknown>;

/** What a field was and is now: a value of any kind. */
const ANY_VALUE = { type: ['string', 'number', 'boolean', 'object', 'array', 'null'], items: {} };
const CHANGE = { type: 'object', required: ['from', 'to'], properties: { from: ANY_VALUE, to: ANY_VALUE } };

const EXAMPLE_TIME = '2026-01-15T10:00:00.000Z';
const EXAMPLE_EVENT_ID = 'evt_01kf0000000000000000000000';
const EXAMPLE_ORGANIZATION = { id: 'org_01kf0000000000000000000000', name: 'Acme Inc.' };

/** The `webhooks` of the OpenAPI document: what a receiver gets for each event type, from the catalogue. */
export function eventWebhooks(serviceName: string): Record<string, Schema> {
  return Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: receiverOperation(type, serviceName) }]));
}

function receiverOperation(type: EventType, serviceName: string): Schema {
  const { description } = EVENTS[type];
  const example = examplePayload(type);
  return {
    operationId: `on_${type.replace('.', '_')}`,
    summary: type,
    description,
    tags: ['Events'],
    security: [],
    parameters: signatureHeaders(serviceName),
    requestBody: { required: true, content: { 'application/json': { schema: payloadSchema(type, example.data), example } } },
    responses: {
      '2XX': {
        description:
          'The receiver accepted the event. After any other response, the attempt has failed, and the service retries the delivery on the retry schedule.',
      },
    },
  };
}

/** The same code that makes real payloads makes the example; only id and time are fixed, so that the document does not change. */
function examplePayload(type: EventType) {
  const context = {
    actor: { type: 'api', id: 'key_01kf0000000000000000000000' },
    caller: { kind: 'key', permissions: [] },
    requestId: 'req_01kf0000000000000000000000',
    ipAddress: '203.0.113.7',
    userAgent: 'curl/8.5.0',
    source: 'api',
  } as const;
  const payload = eventPayload(context, type, EXAMPLE_ORGANIZATION, EVENTS[type].example, new Date(EXAMPLE_TIME));
  return { ...payload, id: EXAMPLE_EVENT_ID };
}

function payloadSchema(type: EventType, data: object): Schema {
  const text = { type: 'string' };
  return {
    type: 'object',
    required: ['id', 'type', 'timestamp', 'organization', 'data'],
    properties: {
      id: {
        ...text,
        description: 'Id of the event. It is the same in every delivery of the event, so that receivers can ignore duplicates.',
      },
      type: { ...text, const: type },
      timestamp: { ...text, format: 'date-time' },
      organization: { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } },
      data: {
        ...schemaOf(data, 'data', EVENTS[type].optional),
        description: 'Details of the event. The fields depend on the event type.',
      },
      actor: {
        type: 'object',
        required: ['type'],
        properties: { type: { ...text, enum: ['user', 'system', 'api'] }, id: text, email: text },
      },
      metadata: { type: 'object', properties: { ipAddress: text, userAgent: text, source: text, requestId: text } },
    },
  };
}

/** Fields of events that may be null; all others never are. */
const NULLABLE = new Set([
  'firstName',
  'lastName',
  'displayName',
  'picture',
  'locale',
  'phoneNumber',
  'lastLoginAt',
  'lastPasswordChangeAt',
  'mfaMethod',
  'description',
  'logo',
  'parentId',
  'branding',
  'purgeAt',
  'expiresAt',
  'reassignedTo',
  'filter',
  'rateLimit',
  'flag',
]);

/** Objects whose keys are the customer's own, or differ from event to event. */
const FREE_FORM = new Set(['metadata', 'settings', 'signals', 'branding', 'filter', 'filters']);

/** The shape of an example, which therefore has every field. */
function schemaOf(example: unknown, name = '', optional: readonly string[] = []): Schema {
  if (Array.isArray(example)) return { type: 'array', items: schemaOf(example[0]) };
  const type = (kind: string) => (NULLABLE.has(name) ? [kind, 'null'] : kind);
  if (name === 'changes') return { type: 'object', additionalProperties: CHANGE };
  if (FREE_FORM.has(name)) return { type: type('object'), additionalProperties: true };
  if (typeof example === 'object' && example !== null) {
    return {
      type: type('object'),
      required: Object.keys(example).filter((key) => !optional.includes(key)),
      properties: Object.fromEntries(Object.entries(example).map(([key, value]) => [key, schemaOf(value, key)])),
    };
  }
  if (typeof example === 'number') return { type: type(Number.isInteger(example) ? 'integer' : 'number') };
  return { type: type(typeof example), ...(name.endsWith('At') ? { format: 'date-time' } : {}) };
}

function signatureHeaders(serviceName: string): Schema[] {
  const header = (name: string, description: string) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  });
  return [
    header(
      `${serviceName}-signature`,
      'Signature of the request: `t=<Unix time in seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>">`. Every attempt has a new timestamp and a new signature.',
    ),
    header('webhook-id', 'Id of the event, as defined by Standard Webhooks.'),
    header('webhook-timestamp', 'Time of the attempt in Unix seconds, as defined by Standard Webhooks.'),
    header(
      'webhook-signature',
      'Signature of the request, as defined by Standard Webhooks. During a secret rotation, the header contains one signature created with the current secret and one created with the new secret, separated by a space.',
    ),
  ];
}
