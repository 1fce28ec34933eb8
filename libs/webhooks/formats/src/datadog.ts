import { detailsOf, withoutAbsent } from './event-details.js';
import type { EventFormat } from './format.js';

/** Datadog does not accept the timestamps of older logs. */
const TIMESTAMP_MAX_AGE_MS = 18 * 3_600_000;

/** Logs of Datadog (POST /api/v2/logs): https://docs.datadoghq.com/api/latest/logs/#send-logs */
export const datadog = {
  name: 'datadog',
  contentType: 'application/json',
  description: 'a log of Datadog (`POST /api/v2/logs`), whose API key is a custom header (`DD-API-KEY`)',
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: 1,
    items: {
      type: 'object',
      required: ['ddsource', 'ddtags', 'hostname', 'service', 'message', 'status', 'evt', 'organization', 'event'],
      properties: {
        ddsource: { type: 'string', description: 'Name of the service.' },
        ddtags: { type: 'string', description: 'Tags `organization_id` and `event_type`.' },
        hostname: { type: 'string', description: 'Host of the service.' },
        service: { type: 'string', description: 'Name of the service.' },
        message: { type: 'string', description: 'A sentence about the event.' },
        status: { enum: ['info', 'warn'], description: '`warn` for failures and suspicious activity.' },
        timestamp: {
          type: 'string',
          format: 'date-time',
          description:
            'Time of the event. Absent if it is more than 18 hours before the attempt, because Datadog rejects such times.',
        },
        evt: {
          type: 'object',
          required: ['id', 'name', 'outcome'],
          properties: { id: { type: 'string' }, name: { type: 'string' }, outcome: { enum: ['success', 'failure'] } },
          additionalProperties: false,
        },
        usr: {
          type: 'object',
          description: 'The user that the event is about. Otherwise, the user who caused the event.',
          properties: { id: { type: 'string' }, email: { type: 'string' }, name: { type: 'string' } },
          additionalProperties: false,
        },
        network: {
          type: 'object',
          required: ['client'],
          properties: { client: { type: 'object', required: ['ip'], properties: { ip: { type: 'string' } } } },
        },
        http: { type: 'object', properties: { useragent: { type: 'string' }, request_id: { type: 'string' } } },
        organization: {
          type: 'object',
          required: ['id', 'name'],
          properties: { id: { type: 'string' }, name: { type: 'string' } },
        },
        event: { type: 'object', description: 'The event as in the format `service`.' },
      },
      additionalProperties: false,
    },
  },
  documentOf({ payload, nowMs }, { name, baseUrl }) {
    const { event, id, type, timestamp, organization, actor, metadata, user, summary, succeeded } = detailsOf(payload);
    const isRecent = nowMs - Date.parse(timestamp) < TIMESTAMP_MAX_AGE_MS;
    const actingUser = actor?.type === 'user' ? { id: actor.id, email: actor.email } : undefined;
    const log = withoutAbsent({
      ddsource: name,
      ddtags: `organization_id:${organization.id},event_type:${type}`,
      hostname: new URL(baseUrl).hostname,
      service: name,
      message: summary,
      status: succeeded && type !== 'security.suspicious_activity' ? 'info' : 'warn',
      timestamp: isRecent ? timestamp : undefined,
      evt: { id, name: type, outcome: succeeded ? 'success' : 'failure' },
      usr: withoutAbsent({ ...(user ?? actingUser) }),
      network: metadata?.ipAddress === undefined ? undefined : { client: { ip: metadata.ipAddress } },
      http: withoutAbsent({ useragent: metadata?.userAgent, request_id: metadata?.requestId }),
      organization,
      event,
    });
    return [log];
  },
} as const satisfies EventFormat;
