import { ACTOR_TYPES } from '#platform/common';
import { EVENT_TYPES, EVENTS, eventPayload, type EventType } from '#platform/events';

type Schema = Record<string, unknown>;

/** A separate tag, because client generators create one class for each tag. */
export const EVENTS_TAG = 'Webhook events';

/** The schema of a change: the previous and the new value of a field, of any type. */
const CHANGE = {
  type: 'object',
  required: ['from', 'to'],
  properties: { from: { description: 'Previous value, of any type.' }, to: { description: 'New value, of any type.' } },
};

const EXAMPLE_TIME = '2026-01-15T10:00:00.000Z';
const EXAMPLE_KEY_ID = 'key_01kf0000000000000000000000';
const EXAMPLE_EVENT_ID = 'evt_01kf0000000000000000000000';
const EXAMPLE_ORGANIZATION = { id: 'org_01kf0000000000000000000000', name: 'Acme Inc.' };

interface EventDocumentation {
  readonly webhooks: Record<string, Schema>;
  readonly pathItems: Record<string, Schema>;
  readonly schemas: Record<string, Schema>;
}

/**
 * Returns the `webhooks` of the OpenAPI document, one for each event type of the catalog, and the schemas of the payloads. The `webhooks`
 * are references, because openapi-generator creates client methods that don't compile from inline `webhooks`.
 */
export function eventDocumentation(serviceName: string): EventDocumentation {
  const events = EVENT_TYPES.map((type) => ({ type, name: schemaName(type), example: examplePayload(type) }));
  return {
    webhooks: Object.fromEntries(events.map(({ type, name }) => [type, { $ref: `#/components/pathItems/${name}` }])),
    pathItems: Object.fromEntries(
      events.map(({ type, name, example }) => [name, { post: receiverOperation(type, name, example, serviceName) }]),
    ),
    schemas: {
      ...SHARED_SCHEMAS,
      ...Object.fromEntries(
        events.flatMap(({ type, name, example }) => [
          [name, payloadSchema(type, name)],
          [`${name}Data`, dataSchema(type, example.data)],
        ]),
      ),
    },
  };
}

/** Returns the name of a schema: `UserCreatedEvent` for `user.created`. */
const schemaName = (type: EventType): string => `${type.split(/[._]/).map(capitalized).join('')}Event`;
const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const reference = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });

function receiverOperation(type: EventType, name: string, example: object, serviceName: string): Schema {
  const { description } = EVENTS[type];
  return {
    operationId: `on${name.replace(/Event$/, '')}`,
    summary: type,
    description,
    tags: [EVENTS_TAG],
    security: [],
    parameters: signatureHeaders(serviceName),
    requestBody: { required: true, content: { 'application/json': { schema: reference(name), example } } },
    responses: {
      '2XX': {
        description:
          'The receiver accepted the event. After any other response, the attempt has failed, and the service retries the delivery on the retry schedule.',
      },
    },
  };
}

/** Returns an example payload. The id and the time are fixed, so that the document does not change. */
function examplePayload(type: EventType) {
  const context = {
    actor: { type: 'api', id: EXAMPLE_KEY_ID, name: 'backend', last4: 'x7Qd' },
    caller: { kind: 'key', permissions: [] },
    requestId: 'req_01kf0000000000000000000000',
    ipAddress: '203.0.113.7',
    userAgent: 'curl/8.5.0',
    source: 'api',
  } as const;
  const payload = eventPayload(context, type, EXAMPLE_ORGANIZATION, EVENTS[type].example, new Date(EXAMPLE_TIME));
  return { ...payload, id: EXAMPLE_EVENT_ID };
}

const textSchema = (example: string): Schema => ({ type: 'string', example });

const ACTOR_CLIENT: Schema = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: textSchema('app_01kf2bav4hf7r8v2m5n9q1c3ek'), name: textSchema('Billing') },
};

const SHARED_SCHEMAS: Record<string, Schema> = {
  EventOrganization: {
    type: 'object',
    description: 'Organization in which the event occurred.',
    required: ['id', 'name'],
    properties: { id: textSchema(EXAMPLE_ORGANIZATION.id), name: textSchema(EXAMPLE_ORGANIZATION.name) },
  },
  EventActor: {
    type: 'object',
    description: 'Who caused the event.',
    required: ['type'],
    properties: {
      type: { ...textSchema('api'), enum: [...ACTOR_TYPES] },
      id: textSchema(EXAMPLE_KEY_ID),
      email: textSchema('jane.doe@example.com'),
      name: { ...textSchema('backend'), description: 'Name of the API key, platform key or SCIM connection.' },
      last4: { ...textSchema('x7Qd'), description: 'Last characters of the API key or platform key.' },
      platform: {
        type: 'boolean',
        example: true,
        description: 'True for a platform key and for an operator. Absent for other actors.',
      },
      client: { ...ACTOR_CLIENT, description: 'The OAuth client that acted for the user, or the machine client.' },
      clientChain: {
        type: 'array',
        description:
          'Present if the access was passed on by token exchanges: all OAuth clients, from the one to which the first token was issued to `client`.',
        items: ACTOR_CLIENT,
        example: [
          { id: 'app_01kf2bh2m0f4t8y5r1c6w9q3zs', name: 'Portal' },
          { id: 'app_01kf2bav4hf7r8v2m5n9q1c3ek', name: 'Billing' },
        ],
      },
      impersonator: {
        type: 'object',
        description: 'The user who was signed in as the actor for support.',
        required: ['id'],
        properties: { id: textSchema('usr_01kf2b8v3cf5h9r4n0j7d2q6xz') },
      },
    },
  },
  EventMetadata: {
    type: 'object',
    description: 'Where the request that caused the event came from.',
    properties: {
      ipAddress: textSchema('203.0.113.7'),
      userAgent: textSchema('curl/8.5.0'),
      forwardedBy: {
        ...textSchema(EXAMPLE_KEY_ID),
        description: 'Id of the API key, platform key or machine client that sent `ipAddress` and `userAgent` of the end user.',
      },
      source: textSchema('api'),
      requestId: textSchema('req_01kf0000000000000000000000'),
    },
  },
};

function payloadSchema(type: EventType, name: string): Schema {
  return {
    type: 'object',
    description: EVENTS[type].description,
    required: ['id', 'type', 'timestamp', 'organization', 'data'],
    properties: {
      id: {
        ...textSchema(EXAMPLE_EVENT_ID),
        description: 'Id of the event. It is the same in every delivery of the event, so that receivers can ignore duplicates.',
      },
      type: { ...textSchema(type), const: type },
      timestamp: { ...textSchema(EXAMPLE_TIME), format: 'date-time' },
      organization: reference('EventOrganization'),
      data: reference(`${name}Data`),
      actor: reference('EventActor'),
      metadata: reference('EventMetadata'),
    },
  };
}

function dataSchema(type: EventType, data: object): Schema {
  return { ...schemaOf(data, 'data', EVENTS[type].optional), description: `Details of a \`${type}\` event.` };
}

/** The only fields of events that can be null. */
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
  'maxRemovals',
  'maxRemovalPercent',
  'reassignedTo',
  'filter',
  'rateLimit',
  'flag',
  'note',
  'backchannelLogoutUri',
  'statusReason',
]);

/** Fields with an object whose keys are chosen by customers or depend on the event. */
const FREE_FORM = new Set(['metadata', 'settings', 'signals', 'branding', 'filter', 'filters']);

/** Returns the schema of an example. The example must have every field. */
function schemaOf(example: unknown, name = '', optional: readonly string[] = []): Schema {
  const type = (kind: string) => (NULLABLE.has(name) ? [kind, 'null'] : kind);
  if (Array.isArray(example)) return { type: 'array', items: schemaOf(example[0]), example };
  if (name === 'changes') return { type: 'object', additionalProperties: CHANGE, example };
  if (FREE_FORM.has(name)) return { type: type('object'), additionalProperties: true, example };
  if (typeof example === 'object' && example !== null) {
    return {
      type: type('object'),
      required: Object.keys(example).filter((key) => !optional.includes(key)),
      properties: Object.fromEntries(Object.entries(example).map(([key, value]) => [key, schemaOf(value, key)])),
    };
  }
  if (typeof example === 'number') return { type: type(Number.isInteger(example) ? 'integer' : 'number'), example };
  return { type: type(typeof example), ...(name.endsWith('At') ? { format: 'date-time' } : {}), example };
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
