import { EVENT_TYPES, EVENTS, type EventType } from '#platform/events';

/** Returns the page docs/events.md. */
export function eventCatalogPage(): string {
  const groups = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0]!))];
  const sections = groups.map((group) => {
    const types = EVENT_TYPES.filter((type) => type.startsWith(`${group}.`));
    return [`## ${titleOf(group)}: \`${group}.*\``, ...types.map(entry)].join('\n\n');
  });
  return `${[PREFACE, table(), ...sections].join('\n\n')}\n`;
}

/** Returns the title of a group, such as `Identity provider` for `identity_provider`. */
const titleOf = (group: string): string => `${group[0]!.toUpperCase()}${group.slice(1)}`.replaceAll('_', ' ');

function table(): string {
  const lines = EVENT_TYPES.map((type) => `| [\`${type}\`](#${type.replace('.', '')}) | ${EVENTS[type].description} |`);
  return ['| Type | Description |', '| --- | --- |', ...lines].join('\n');
}

function entry(type: EventType): string {
  const { description, example, optional = [] } = EVENTS[type];
  const optionalFields = optional.length > 0 ? ` Optional: ${optional.map((field) => `\`${field}\``).join(', ')}.` : '';
  return `### ${type}\n\n${description}${optionalFields}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

const PREFACE = `# Event types

Every event type with an example of its \`data\`. Each event also has \`id\`, \`type\`, \`timestamp\`, \`organization\`, \`actor\` and
\`metadata\`; the OpenAPI document has the schemas under \`webhooks\`. See [Receive events with webhooks](guides/webhooks.md) and
[Read and audit the event log](guides/events.md).

This page is generated from \`libs/platform/events/src/catalog.ts\` by \`test/contract/events.spec.ts\`.`;
