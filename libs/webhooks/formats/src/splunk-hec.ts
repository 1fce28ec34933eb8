import type { EventPayload } from '#platform/events';
import type { EventFormat } from './format.js';

/** Events of the HTTP Event Collector of Splunk: https://docs.splunk.com/Documentation/Splunk/latest/Data/FormateventsforHTTPEventCollector */
export const splunkHec = {
  name: 'splunk_hec',
  contentType: 'application/json',
  description: 'an event of the HTTP Event Collector of Splunk, whose token is a custom header (`Authorization: Splunk …`)',
  schema: {
    type: 'object',
    required: ['time', 'host', 'source', 'sourcetype', 'event'],
    properties: {
      time: { type: 'number', description: 'Time of the event in seconds, with milliseconds as decimals.' },
      host: { type: 'string', description: 'Host of the service.' },
      source: { type: 'string', description: 'Name of the service.' },
      sourcetype: { const: '_json' },
      event: { type: 'object', description: 'The event as in the format `service`.' },
    },
    additionalProperties: false,
  },
  documentOf({ payload }, { name, baseUrl }) {
    const event = JSON.parse(payload) as EventPayload;
    return {
      time: Date.parse(event.timestamp) / 1_000,
      host: new URL(baseUrl).hostname,
      source: name,
      sourcetype: '_json',
      event,
    };
  },
} as const satisfies EventFormat;
