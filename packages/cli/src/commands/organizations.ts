import type { InputOf, Schema } from '@identity-service/client';
import { type Command, Option } from 'commander';
import { Context } from '../context.js';
import { bodyFrom, dataOption, limitOption, subcommand, yesOption } from '../options.js';

type Data = { data?: Record<string, unknown> };

/** Organizations by slug or id. */
export function addOrganizations(program: Command): void {
  const group = program.command('organizations').alias('orgs').description('organizations: list, get, create, update, delete');
  const name = new Option('--name <name>');
  const description = new Option('--description <text>');
  const type = new Option('--type <type>', 'a kind of your own, such as customer');

  subcommand(
    group,
    'list',
    'those that the key may see',
    limitOption(),
    new Option('--parent <organization>', 'only those directly below it'),
    new Option('--search <text>', 'in name and slug'),
    new Option('--status <status>').choices(['active', 'suspended', 'pending', 'deleted']),
  ).action(async ({ limit, parent, ...filters }: { limit: number; parent?: string }, command: Command) => {
    const context = new Context(command);
    const input = { ...filters, ...(parent !== undefined && { parentId: parent }), limit: Math.min(limit, 100) };
    await context.showList(
      context.client.listOrganizations(input as InputOf<'listOrganizations'>),
      { limit },
      {
        slug: ({ slug }) => slug,
        name: ({ name: own }) => own,
        status: ({ status }) => status,
        members: ({ memberCount }) => memberCount,
        id: ({ id }) => id,
      },
    );
  });
  subcommand(group, 'get <organization>', 'one, with its settings in force').action(
    async (id: string, _options: object, command: Command) => {
      const context = new Context(command);
      context.show(await context.client.getOrganization({ id }));
    },
  );
  subcommand(
    group,
    'create',
    'a new one; without --parent at the top, which takes a platform key',
    name.makeOptionMandatory(),
    new Option('--slug <slug>', 'its name in addresses; made from the name'),
    new Option('--parent <organization>', 'the one above it'),
    description,
    type,
    dataOption(),
  ).action(async ({ parent, data, ...given }: { parent?: string } & Data, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'CreateOrganizationRequest'>>({ ...given, parentId: parent }, data);
    context.show(await context.client.createOrganization({ body }));
  });
  subcommand(group, 'update <organization>', 'change it', new Option('--name <name>'), description, type, dataOption()).action(
    async (id: string, { data, ...given }: Data, command: Command) => {
      const context = new Context(command);
      const body = bodyFrom<Schema<'UpdateOrganizationRequest'>>(given, data);
      context.show(await context.client.updateOrganization({ id, body }));
    },
  );
  subcommand(
    group,
    'delete <organization>',
    'delete it and what it owns; it can be restored for 30 days',
    yesOption(),
    new Option('--cascade', 'and all organizations below it'),
  ).action(async (id: string, { yes, cascade }: { yes?: boolean; cascade?: boolean }, command: Command) => {
    const context = new Context(command);
    await context.confirm(`Delete the organization ${id}${cascade ? ' and all below it' : ''}?`, yes);
    await context.client.deleteOrganization({ id, ...(cascade && { cascade: true }) });
    context.done(`Deleted ${id}.`, { deleted: id });
  });
}
