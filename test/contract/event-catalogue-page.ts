import { EVENT_TYPES, EVENTS, type EventType } from '#events';

/** Returns the page that lists the event types. */
export function eventCataloguePage(): string {
  const groups = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0]!))];
  const sections = groups.map((group) => {
    const types = EVENT_TYPES.filter((type) => type.startsWith(`${group}.`));
    return [`## ${group[0]!.toUpperCase()}${group.slice(1)}: \`${group}.*\``, ...types.map(entry)].join('\n\n');
  });
  return `${[PREFACE, table(), ...sections].join('\n\n')}\n`;
}

function table(): string {
  const lines = EVENT_TYPES.map((type) => `| [\`${type}\`](#${type.replace('.', '')}) | ${EVENTS[type].description} |`);
  return ['| Event type | Description |', '| --- | --- |', ...lines].join('\n');
}

function entry(type: EventType): string {
  const { description, example, optional } = EVENTS[type];
  const optionalFields = optional.length > 0 ? ` Optional fields: ${optional.map((field) => `\`${field}\``).join(', ')}.` : '';
  return `### ${type}\n\n${description}${optionalFields}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

const PREFACE = `# Events

All event types, with an example of their \`data\`. In addition to \`data\`, an event has the fields \`id\`, \`type\`, \`timestamp\`,
\`organization\`, \`actor\` and \`metadata\`. The schemas of all events are in the OpenAPI document, under \`webhooks\`.

To read and follow events, see [guides/events.md](guides/events.md). To receive events, see [guides/webhooks.md](guides/webhooks.md).

This page is generated from \`libs/events/src/catalogue.ts\` by \`test/contract/events.spec.ts\`.`;
