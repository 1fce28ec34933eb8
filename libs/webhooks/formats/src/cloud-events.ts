import { detailsOf, withoutAbsent } from './event-details.js';
import type { EventFormat } from './format.js';

/** CloudEvents 1.0 in the structured mode of HTTP: https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md */
export const cloudEvents = {
  name: 'cloudevents',
  contentType: 'application/cloudevents+json',
  description: 'a CloudEvents 1.0 event in the structured mode, with the event in `data`',
  schema: {
    type: 'object',
    required: ['specversion', 'id', 'source', 'type', 'time', 'datacontenttype', 'data', 'organizationid'],
    properties: {
      specversion: { const: '1.0' },
      id: { type: 'string', description: 'Id of the event.' },
      source: { type: 'string', format: 'uri', description: 'URL of the organization in the API of the service.' },
      type: { type: 'string', description: 'Event type, such as `user.created`.' },
      subject: { type: 'string', description: 'Id of the user or other resource that the event is about.' },
      time: { type: 'string', format: 'date-time' },
      datacontenttype: { const: 'application/json' },
      organizationid: { type: 'string', description: 'Id of the organization (extension attribute).' },
      data: { type: 'object', description: 'The event as in the format `service`.' },
    },
    additionalProperties: false,
  },
  documentOf({ payload }, { baseUrl }) {
    const { event, id, type, timestamp, organization, subject } = detailsOf(payload);
    return withoutAbsent({
      specversion: '1.0',
      id,
      source: `${baseUrl}/v1/organizations/${organization.id}`,
      type,
      subject: subject?.id,
      time: timestamp,
      datacontenttype: 'application/json',
      organizationid: organization.id,
      data: event,
    });
  },
} as const satisfies EventFormat;
