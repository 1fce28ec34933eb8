import { type EventDetails, objectIn, detailsOf, textIn, withoutAbsent } from './event-details.js';
import type { EventFormat, JsonSchema } from './format.js';

const ECS_VERSION = '8.17.0';

const SIGN_INS = new Set(['user.login', 'user.login_failed', 'user.logout', 'security.sso_bypassed']);
const ENDED_SESSIONS = new Set(['security.session_revoked', 'oauth_session.ended']);
/** Resources that decide who has access. */
const IAM = new Set(['user', 'group', 'role', 'organization', 'scim_connection', 'api_key', 'break_glass']);
const EFFECT_TYPES = { creation: 'creation', change: 'change', deletion: 'deletion', read: 'info', other: 'info' } as const;

const text: JsonSchema = { type: 'string' };
const object = (properties: Readonly<Record<string, JsonSchema>>, ...required: string[]): JsonSchema => ({
  type: 'object',
  ...(required.length > 0 ? { required } : {}),
  properties,
  additionalProperties: false,
});
const texts = (...choices: string[]): JsonSchema => ({
  type: 'array',
  items: choices.length > 0 ? { enum: choices } : text,
});
const PERSON = { id: text, email: text, full_name: text };

/**
 * Documents of the Elastic Common Schema: https://www.elastic.co/guide/en/ecs/8.17/index.html. They have only fields of the schema, because
 * fields that Elasticsearch maps by itself can have another type in another event, and such documents would be rejected.
 */
export const elastic = {
  name: 'elastic',
  contentType: 'application/json',
  description: 'a document of the Elastic Common Schema, for `POST /<data-stream>/_doc` of Elasticsearch',
  schema: object(
    {
      '@timestamp': { type: 'string', format: 'date-time' },
      message: { type: 'string', description: 'A sentence about the event.' },
      ecs: object({ version: { const: ECS_VERSION } }, 'version'),
      event: object(
        {
          id: { type: 'string', description: 'Id of the event, the same in each attempt.' },
          action: { type: 'string', description: 'Event type, such as `user.created`.' },
          kind: { enum: ['event', 'alert'] },
          category: texts('authentication', 'configuration', 'iam', 'intrusion_detection', 'session'),
          type: texts('change', 'creation', 'deletion', 'end', 'group', 'info', 'start', 'user'),
          outcome: { enum: ['success', 'failure'] },
          dataset: text,
          provider: text,
          reason: text,
          original: { type: 'string', description: 'The event as in the format `service`, as text.' },
        },
        'id',
        'action',
        'kind',
        'category',
        'type',
        'outcome',
        'original',
      ),
      organization: object({ id: text, name: text }, 'id'),
      user: {
        ...object({ ...PERSON, target: object(PERSON) }),
        description:
          'For sign-ins and sessions, their user. For all other events, the user who caused the event, and as `target` the user that the event is about.',
      },
      group: object({ id: text, name: text }),
      source: object({ ip: text }),
      user_agent: object({ original: text }),
      http: object({ request: object({ id: text }) }),
      service: object({ name: text }),
      related: object({ ip: texts(), user: texts() }),
    },
    '@timestamp',
    'message',
    'ecs',
    'event',
    'organization',
    'service',
  ),
  documentOf({ payload }, { name }) {
    const event = detailsOf(payload);
    const { id, type, timestamp, organization, actor, metadata, summary, succeeded, user } = event;
    const { category, types } = classOf(event);
    const person = user && { id: user.id, email: user.email, full_name: user.name };
    const actingUser = actor?.type === 'user' ? { id: actor.id, email: actor.email } : {};
    const isOwn = category === 'authentication' || category === 'session';
    const users = isOwn ? withoutAbsent({ ...person }) : withoutAbsent({ ...actingUser, target: withoutAbsent({ ...person }) });
    return withoutAbsent({
      '@timestamp': timestamp,
      message: summary,
      ecs: { version: ECS_VERSION },
      event: withoutAbsent({
        id,
        action: type,
        kind: type === 'security.suspicious_activity' ? 'alert' : 'event',
        category: [category],
        type: types,
        outcome: succeeded ? 'success' : 'failure',
        dataset: `${name}.events`,
        provider: name,
        reason: textIn(event.fields, 'reason'),
        original: payload,
      }),
      organization,
      user: users,
      group: groupOf(event),
      source: withoutAbsent({ ip: metadata?.ipAddress }),
      user_agent: withoutAbsent({ original: metadata?.userAgent }),
      http: metadata?.requestId === undefined ? undefined : { request: { id: metadata.requestId } },
      service: { name },
      related: withoutAbsent({
        ip: metadata?.ipAddress === undefined ? undefined : [metadata.ipAddress],
        user: relatedUsers(user?.id, actor?.type === 'user' ? actor.id : undefined),
      }),
    });
  },
} as const satisfies EventFormat;

function classOf({ type, resource, effect, user }: EventDetails): { category: string; types: readonly string[] } {
  if (type === 'security.suspicious_activity') return { category: 'intrusion_detection', types: ['info'] };
  if (SIGN_INS.has(type)) return { category: 'authentication', types: [type === 'user.logout' ? 'end' : 'start'] };
  if (ENDED_SESSIONS.has(type)) return { category: 'session', types: ['end'] };
  const effectType = EFFECT_TYPES[effect];
  if (!IAM.has(resource)) return { category: 'configuration', types: [effectType] };
  const subject = resource === 'group' ? ['group'] : user ? ['user'] : [];
  return { category: 'iam', types: [...subject, effectType] };
}

function groupOf({ resource, fields }: EventDetails): object | undefined {
  if (resource !== 'group') return undefined;
  const group = fields['group'] === undefined ? fields : objectIn(fields, 'group');
  return withoutAbsent({ id: textIn(group, 'id'), name: textIn(group, 'name') });
}

function relatedUsers(...ids: readonly (string | undefined)[]): string[] | undefined {
  const known = [...new Set(ids.filter((id) => id !== undefined))];
  return known.length === 0 ? undefined : known;
}
