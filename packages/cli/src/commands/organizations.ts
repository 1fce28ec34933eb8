import type { InputOf, Schema } from '@identity-service/client';
import { type Command, Option } from 'commander';
import { Context } from '../context.js';
import { bodyFrom, dataOption, limitOption, subcommand, yesOption } from '../options.js';

type Data = { data?: Record<string, unknown> };

export function addOrganizations(program: Command): void {
  const group = program
    .command('organizations')
    .alias('orgs')
    .description('manage organizations: list, get, create, update, delete');
  addReadCommands(group);
  addWriteCommands(group);
}

function addReadCommands(group: Command): void {
  subcommand(
    group,
    'list',
    'list the organizations that the API key can read',
    limitOption(),
    new Option('--parent <organization>', 'only child organizations of this organization'),
    new Option('--search <text>', 'search in name and slug'),
    new Option('--status <status>').choices(['active', 'suspended', 'pending', 'deleted']),
  ).action(async ({ limit, parent, ...filters }: { limit: number; parent?: string }, command: Command) => {
    const context = new Context(command);
    const input = { ...filters, ...(parent !== undefined && { parentId: parent }), limit: Math.min(limit, 100) };
    await context.showList(
      context.client.listOrganizations(input as InputOf<'listOrganizations'>),
      { limit },
      {
        slug: ({ slug }) => slug,
        name: ({ name }) => name,
        status: ({ status }) => status,
        members: ({ memberCount }) => memberCount,
        id: ({ id }) => id,
      },
    );
  });
  subcommand(group, 'get <organization>', 'show an organization with its effective settings').action(
    async (id: string, _options: object, command: Command) => {
      const context = new Context(command);
      context.show(await context.client.getOrganization({ org: id }));
    },
  );
}

function addWriteCommands(group: Command): void {
  const name = new Option('--name <name>');
  const description = new Option('--description <text>');
  const type = new Option('--type <type>', 'a type that you define, such as customer');

  subcommand(
    group,
    'create',
    'create an organization; a root organization (without --parent) requires a platform key',
    name.makeOptionMandatory(),
    new Option('--slug <slug>', 'name in URLs; generated from the name by default'),
    new Option('--parent <organization>', 'parent organization'),
    description,
    type,
    dataOption(),
  ).action(async ({ parent, data, ...options }: { parent?: string } & Data, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'CreateOrganizationRequest'>>({ ...options, parentId: parent }, data);
    context.show(await context.client.createOrganization({ body }));
  });
  subcommand(
    group,
    'update <organization>',
    'update an organization',
    new Option('--name <name>'),
    description,
    type,
    dataOption(),
  ).action(async (id: string, { data, ...options }: Data, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'UpdateOrganizationRequest'>>(options, data);
    context.show(await context.client.updateOrganization({ org: id, body }));
  });
  subcommand(
    group,
    'delete <organization>',
    'delete an organization and everything in it; it can be restored for 30 days',
    yesOption(),
    new Option('--cascade', 'also delete all descendant organizations'),
  ).action(async (id: string, { yes, cascade }: { yes?: boolean; cascade?: boolean }, command: Command) => {
    const context = new Context(command);
    await context.confirm(`Delete the organization ${id}${cascade ? ' and all its descendants' : ''}?`, yes);
    await context.client.deleteOrganization({ org: id, ...(cascade && { cascade: true }) });
    context.done(`Deleted ${id}.`, { deleted: id });
  });
}
