import type { InputOf, Schema } from '@identity-service/client';
import { type Command, Option } from 'commander';
import { Context } from '../context.js';
import { addImport } from './import.js';
import { bodyFrom, dataOption, limitOption, listed, subcommand, yesOption } from '../options.js';

type Data = { data?: Record<string, unknown> };

export function addUsers(program: Command): void {
  const group = program
    .command('users')
    .description('manage users: list, get, create, update, suspend, activate, delete, import');
  addReadCommands(group);
  addWriteCommands(group);
  addStatusCommands(group);
  addImport(group);
}

function addReadCommands(group: Command): void {
  subcommand(
    group,
    'list',
    'list the users and members of the organization, newest first',
    limitOption(),
    new Option('--search <text>', 'search in names and email address'),
    new Option('--email <address>', 'only the user with exactly this email address'),
    new Option('--role <role>', 'only users with this role'),
    new Option('--status <status>').choices(['active', 'pending', 'suspended', 'deleted']),
  ).action(async ({ limit, ...filters }: { limit: number }, command: Command) => {
    const context = new Context(command);
    const input = { org: context.organization, ...filters, limit: Math.min(limit, 100) };
    await context.showList(
      context.client.listUsers(input as InputOf<'listUsers'>),
      { limit },
      {
        email: ({ email }) => email,
        name: ({ displayName, firstName, lastName }) => displayName || [firstName, lastName].filter(Boolean).join(' '),
        status: ({ status }) => status,
        roles: ({ roles }) => roles,
        id: ({ id }) => id,
      },
    );
  });
  subcommand(group, 'get <id>', 'show a user with roles and organizations').action(
    async (id: string, _options: object, command: Command) => {
      const context = new Context(command);
      context.show(await context.client.getUser({ org: context.organization, id }));
    },
  );
}

function addWriteCommands(group: Command): void {
  const names = ['first', 'last', 'display'].map((which) => new Option(`--${which}-name <name>`));
  const externalId = new Option('--external-id <id>', 'id of the user in another system');

  subcommand(
    group,
    'create',
    'create a user and send an invitation by email',
    new Option('--email <address>').makeOptionMandatory(),
    ...names,
    externalId,
    new Option('--role <role>', 'role by name or id; separate several with commas').argParser(listed),
    new Option('--no-invitation', 'send no email'),
    dataOption(),
  ).action(async ({ role, invitation, data, ...options }: { role?: string[]; invitation: boolean } & Data, command: Command) => {
    const context = new Context(command);
    const createOptions = { roles: role, sendInvitation: invitation ? undefined : false };
    const body = bodyFrom<Schema<'CreateUserRequest'>>({ ...options, ...createOptions }, data);
    context.show(await context.client.createUser({ org: context.organization, body }));
  });
  subcommand(group, 'update <id>', 'update a user', new Option('--email <address>'), ...names, externalId, dataOption()).action(
    async (id: string, { data, ...options }: Data, command: Command) => {
      const context = new Context(command);
      const body = bodyFrom<Schema<'UpdateUserRequest'>>(options, data);
      context.show(await context.client.updateUser({ org: context.organization, id, body }));
    },
  );
}

function addStatusCommands(group: Command): void {
  subcommand(
    group,
    'suspend <id>',
    "suspend a user, who then can't sign in",
    new Option('--reason <text>'),
    new Option('--revoke-sessions', 'revoke all sessions of the user instead of pausing them'),
  ).action(async (id: string, { reason, revokeSessions }: { reason?: string; revokeSessions?: boolean }, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'SuspendUserRequest'>>({ reason, revokeActiveSessions: revokeSessions }, undefined);
    context.show(await context.client.suspendUser({ org: context.organization, id, body }));
  });
  subcommand(group, 'activate <id>', 'activate a user, who then can sign in').action(
    async (id: string, _options: object, command: Command) => {
      const context = new Context(command);
      context.show(await context.client.activateUser({ org: context.organization, id }));
    },
  );
  subcommand(
    group,
    'delete <id>',
    'delete a user; the user can be restored for 30 days',
    yesOption(),
    new Option('--permanent', 'delete permanently and immediately'),
  ).action(async (id: string, { yes, permanent }: { yes?: boolean; permanent?: boolean }, command: Command) => {
    const context = new Context(command);
    await context.confirm(`Delete the user ${id}${permanent ? ' permanently' : ''}?`, yes);
    await context.client.deleteUser({ org: context.organization, id, ...(permanent && { permanent: true }) });
    context.done(`Deleted ${id}.`, { deleted: id });
  });
}
