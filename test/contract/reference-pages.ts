import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasPermission, SERVICE_PERMISSIONS } from '#platform/common';
import { BUILT_IN_ROLES } from '#directory/roles';
import { markdownTable } from '../support/markdown-table.js';
import { problemCodes } from '../support/problem-codes.js';
// Libraries define their permissions when the server loads them.
import '../../apps/server/src/server.module.js';

const ROOT = join(import.meta.dirname, '../..');

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { summary?: string; 'x-required-permission'?: string }>>>>;
}

/** Returns the generated pages by path in the repository. */
export const referencePages = (): Readonly<Record<string, string>> => ({
  'docs/reference/errors.md': errorsPage(),
  'docs/reference/permissions.md': permissionsPage(),
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

const page = (title: string, preface: string, content: string): string =>
  `# ${title}\n\n${preface}\nThis page is generated from the source code by \`test/contract/reference-pages.spec.ts\`.\n\n${content}\n`;
