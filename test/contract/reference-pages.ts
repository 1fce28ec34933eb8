import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIRMATION, hasPermission, RECENT_SIGN_IN_IF_SENSITIVE, SERVICE_PERMISSIONS } from '#platform/common';
import { EVENT_TYPES, EVENTS, type EventType } from '#platform/events';
import { UNNEEDED } from '#directory/privileges';
import { BUILT_IN_ROLES } from '#directory/roles';
import { EVENT_FORMATS, findFormat } from '#webhooks/formats';
import { markdownTable } from '../support/markdown-table.js';
import { problemCodes } from '../support/problem-codes.js';
// Libraries define their permissions when the server loads them.
import '../../apps/server/src/server.module.js';

const ROOT = join(import.meta.dirname, '../..');

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { summary?: string; description?: string; 'x-required-permission'?: string }>>>
  >;
  readonly components: {
    readonly pathItems: Readonly<
      Record<string, { post: { summary: EventType; requestBody: { content: Record<string, { example: object }> } } }>
    >;
  };
}

export const referencePages = (): Readonly<Record<string, string>> => ({
  'docs/events.md': eventCatalogPage(),
  'docs/reference/errors.md': errorsPage(),
  'docs/reference/permissions.md': permissionsPage(),
  'docs/reference/webhook-formats.md': webhookFormatsPage(),
  'docs/security/authorizations.md': authorizationsPage(),
});

/** Returns the page of all error codes, with the status and meaning from the page of each error. */
function errorsPage(): string {
  const rows = problemCodes().map((code) => {
    const page = readFileSync(join(ROOT, `docs/errors/${code}.md`), 'utf8');
    const [, status, meaning] = /^Status \*\*(\d{3})[^\n]+\n\n([^\n]+)/m.exec(page) ?? [];
    return [`[\`${code}\`](../errors/${code}.md)`, status!, meaning!];
  });
  return page(
    'Error codes',
    `Error responses have the media type \`application/problem+json\` and a stable \`code\`. Use \`code\` in programs, and show \`detail\` to people.
For the fields of an error, see [Using the API](../guides/api.md). There are ${rows.length} codes.`,
    markdownTable(['Code', 'Status', 'Meaning'], rows),
  );
}

/** Returns the page of all permissions, with the operations that require and the built-in roles that contain each permission. */
function permissionsPage(): string {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `\`${method.toUpperCase()} ${path}\``,
      permission: operation['x-required-permission'],
    })),
  );
  const rows = SERVICE_PERMISSIONS.map((permission) => [
    `\`${permission}\``,
    BUILT_IN_ROLES.filter(({ permissions }) => hasPermission(permissions, permission))
      .map(({ name }) => name)
      .join(', '),
    operations
      .filter((operation) => operation.permission === permission)
      .map(({ name }) => name)
      .join('<br>'),
  ]);
  return page(
    'Permissions',
    `A role is a set of permissions; the scopes of an API key are permissions, too. \`users:*\` includes all permissions that start with
\`users:\`, \`*\` includes everything. Roles can also have your own permissions, such as \`invoices:read\`
([how to grant and check them](../guides/permissions.md)). The [access matrix](../access-matrix.md) lists every operation with every kind of caller.`,
    `## Built-in roles

${markdownTable(
  ['Role', 'Id', 'Description'],
  BUILT_IN_ROLES.map(({ id, name, description }) => [name, `\`${id}\``, description ?? '']),
)}

## All permissions

${markdownTable(['Permission', 'Built-in roles', 'Operations'], rows)}`,
  );
}

const FORMAT_EXAMPLE: EventType = 'user.login';

/** Returns the page of the formats of webhooks: for each format an example, its JSON Schema, and the classes of OCSF by event type. */
function webhookFormatsPage(): string {
  const { components } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;
  const examples = new Map(
    Object.values(components.pathItems).map(({ post }) => [post.summary, post.requestBody.content['application/json']!.example]),
  );
  const documentOf = (format: string, type: EventType): Record<string, unknown> => {
    const sent = {
      payload: JSON.stringify(examples.get(type)),
      webhookId: 'wh_01kf2bd7wvf0q9t6y3n8m1s4rx',
      nowMs: Date.parse('2026-01-15T10:00:01.000Z'),
    };
    return findFormat(format)!.documentOf(sent, { name: 'service', baseUrl: 'https://id.example.com' }) as Record<
      string,
      unknown
    >;
  };
  const json = (value: object) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
  const sections = EVENT_FORMATS.map(({ name, contentType, description, schema, tokenType }) =>
    [
      `## ${name}`,
      `Content type \`${contentType}\`: ${description}.`,
      `${tokenType === undefined ? 'The body' : 'The claims'} of a \`${FORMAT_EXAMPLE}\` event:`,
      json(documentOf(name, FORMAT_EXAMPLE)),
      'JSON Schema:',
      json({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema }),
    ].join('\n\n'),
  );
  const classes = EVENT_TYPES.map((type) => {
    const { class_name: className, class_uid: uid, activity_name: activity, activity_id: id } = documentOf('ocsf', type);
    return [`\`${type}\``, `${String(className)} (${String(uid)})`, `${String(activity)} (${String(id)})`];
  });
  return page(
    'Formats of webhooks',
    `An example and the JSON Schema of each format in which a webhook can receive events. The format \`service\` is the event itself
([event types](../events.md)). The [guide](../guides/webhook-formats.md) shows how to connect Splunk, Datadog and Elasticsearch.`,
    [...sections, '## Classes of OCSF by event type', markdownTable(['Event type', 'Class', 'Activity'], classes)].join('\n\n'),
  );
}

/** Returns the page of the rules on power: what each effect of a change needs, which operations need a fresh proof, which writes ask nothing. */
function authorizationsPage(): string {
  const { paths } = JSON.parse(readFileSync(join(ROOT, 'openapi.json'), 'utf8')) as OpenApi;
  const sources = readdirSync(join(ROOT, 'libs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => [`libs/${path}`, readFileSync(join(ROOT, 'libs', path), 'utf8')] as const);
  const unneeded = Object.entries(UNNEEDED).map(([reason, { effects, why }]) => {
    const places = sources.filter(([, source]) => source.includes(`('${reason}')`)).map(([path]) => path);
    if (places.length === 0) throw new Error(`No source uses the reason ${reason}.`);
    return [
      `\`${reason}\``,
      effects.join(', '),
      why,
      places
        .map((path) => `\`${path}\``)
        .sort()
        .join('<br>'),
    ];
  });
  const stepUps = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { description = '' }]) => {
      if (!description.includes('reauthentication_required')) return [];
      const when = description.includes(RECENT_SIGN_IN_IF_SENSITIVE) ? 'sensitive changes' : 'always';
      return [[`\`${method.toUpperCase()} ${path}\``, description.includes(CONFIRMATION) ? 'always, a confirmation' : when]];
    }),
  );
  return page(
    'Authorizations by effect',
    `What a change does to people decides what is asked, not the operation that makes the change. Code that writes roles, memberships,
accounts, ways to sign in or policies takes an authorization of this effect, which only \`PrivilegesService\` (\`libs/directory/privileges\`) creates.
The caller is compared with everybody who is affected, in every organization where they have permissions. Break-glass access of the caller does not count.`,
    `## Effects

${markdownTable(
  ['Effect', 'What the caller needs', 'Fresh proof'],
  [
    [
      'Somebody gains permissions (`gain`)',
      'All of these permissions, in the organization where they apply',
      'If a permission changes something',
    ],
    [
      'Somebody loses permissions or the use of the account (`loss`)',
      'All permissions of this person there, or everywhere for the whole account',
      'See the operations',
    ],
    ['Somebody’s sign-in or identification changes (`sign_in`)', 'All permissions of this person, everywhere', 'Always'],
    [
      'A policy changes (`policy`)',
      'All permissions for settings that can lock out or expose others, otherwise the permission of the operation',
      'For settings that restrict access',
    ],
  ],
)}

## Operations with a fresh proof

A session must have signed in or confirmed the identity in the last 10 minutes.

${markdownTable(['Operation', 'When'], stepUps)}

## Writes without a question

${markdownTable(['Reason', 'Effects', 'Why', 'Places'], unneeded)}`,
  );
}

const page = (title: string, preface: string, content: string): string =>
  `# ${title}\n\n${preface}\nThis page is generated from the source code by \`test/contract/reference-pages.spec.ts\`.\n\n${content}\n`;

function eventCatalogPage(): string {
  const groups = [...new Set(EVENT_TYPES.map((type) => type.split('.')[0]!))];
  const sections = groups.map((group) => {
    const types = EVENT_TYPES.filter((type) => type.startsWith(`${group}.`));
    return [`## ${titleOf(group)}: \`${group}.*\``, ...types.map(entry)].join('\n\n');
  });
  return `${[EVENTS_PREFACE, table(), ...sections].join('\n\n')}\n`;
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

const EVENTS_PREFACE = `# Event types

Every event type with an example of its \`data\`. Each event also has \`id\`, \`type\`, \`timestamp\`, \`organization\`, \`actor\` and
\`metadata\`; the OpenAPI document has the schemas under \`webhooks\`. See [Receive events with webhooks](guides/webhooks.md) and
[Read and audit the event log](guides/events.md).

This page is generated from \`libs/platform/events/src/catalog.ts\` by \`test/contract/reference-pages.spec.ts\`.`;
