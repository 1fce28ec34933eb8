import { EVENT_TYPES, EVENTS, type EventType } from '#events';

/** The catalogue of events as a page. */
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
  return ['| Type | What it says |', '| --- | --- |', ...lines].join('\n');
}

function entry(type: EventType): string {
  const { description, example, optional } = EVENTS[type];
  const notAlways = optional.length > 0 ? ` Not always there: ${optional.map((field) => `\`${field}\``).join(', ')}.` : '';
  return `### ${type}\n\n${description}${notAlways}\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``;
}

const PREFACE = `# Events

Every type of event, with an example of its \`data\`. The page is made from the catalogue in \`libs/events/src/catalogue.ts\` by
\`test/contract/events.spec.ts\`. How to read and follow events is told in [guides/events.md](guides/events.md), how to receive them in
[guides/webhooks.md](guides/webhooks.md). Around \`data\`, each event has \`id\`, \`type\`, \`timestamp\`, \`organization\`, \`actor\` and \`metadata\`;
the OpenAPI document has all of it as schemas, under \`webhooks\`.`;
