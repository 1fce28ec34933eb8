import { detailsOf, withoutAbsent } from './event-details.js';
import type { EventFormat } from './format.js';

const seconds = (milliseconds: number): number => Math.floor(milliseconds / 1_000);

/** Security event tokens (RFC 8417), signed with the keys of access tokens. */
export const securityEventToken = {
  name: 'set',
  contentType: 'application/secevent+jwt',
  description:
    'a security event token (RFC 8417), signed with the keys at `/.well-known/jwks.json`, whose audience is the id of the webhook',
  tokenType: 'secevent+jwt',
  schema: {
    type: 'object',
    required: ['iss', 'aud', 'iat', 'jti', 'toe', 'events'],
    properties: {
      iss: { type: 'string', format: 'uri', description: 'URL of the service.' },
      aud: { type: 'string', pattern: '^wh_', description: 'Id of the webhook.' },
      iat: { type: 'integer', description: 'Time of the attempt.' },
      jti: { type: 'string', pattern: '^evt_', description: 'Id of the event, the same in each attempt.' },
      toe: { type: 'integer', description: 'Time of the event.' },
      txn: { type: 'string', description: 'Id of the request that caused the event.' },
      sub_id: {
        description: 'The user or other resource that the event is about (RFC 9493).',
        oneOf: [
          {
            type: 'object',
            required: ['format', 'iss', 'sub'],
            properties: { format: { const: 'iss_sub' }, iss: { type: 'string', format: 'uri' }, sub: { type: 'string' } },
            additionalProperties: false,
          },
          {
            type: 'object',
            required: ['format', 'id'],
            properties: { format: { const: 'opaque' }, id: { type: 'string' } },
            additionalProperties: false,
          },
        ],
      },
      events: {
        type: 'object',
        description:
          'One event: its name is `<URL of the service>/events/<event type>`, its value the event as in the format `service`.',
        minProperties: 1,
        maxProperties: 1,
        propertyNames: { format: 'uri' },
        additionalProperties: { type: 'object' },
      },
    },
    additionalProperties: false,
  },
  documentOf({ payload, webhookId, nowMs }, { baseUrl }) {
    const { event, id, type, timestamp, metadata, subject, user } = detailsOf(payload);
    return withoutAbsent({
      iss: baseUrl,
      // Other organizations choose their URLs, but not the ids of their webhooks: their tokens are useless at this receiver.
      aud: webhookId,
      iat: seconds(nowMs),
      jti: id,
      toe: seconds(Date.parse(timestamp)),
      txn: metadata?.requestId,
      sub_id: user?.id
        ? { format: 'iss_sub', iss: baseUrl, sub: user.id }
        : subject
          ? { format: 'opaque', id: subject.id }
          : undefined,
      events: { [`${baseUrl}/events/${type}`]: event },
    });
  },
} as const satisfies EventFormat;
