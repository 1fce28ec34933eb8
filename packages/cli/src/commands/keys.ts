import type { Schema } from '@identity-service/client';
import { type Command, Option } from 'commander';
import { Context } from '../context.js';
import { bodyFrom, limitOption, listed, positive, subcommand, yesOption } from '../options.js';

export function addKeys(program: Command): void {
  const group = program.command('keys').description('manage API keys: list, get, create, rotate, revoke');

  subcommand(group, 'list', 'list the API keys of the organization', limitOption()).action(
    async ({ limit }: { limit: number }, command: Command) => {
      const context = new Context(command);
      await context.showList(
        context.client.listApiKeys({ org: context.organization, limit: Math.min(limit, 100) }),
        { limit },
        {
          name: ({ name }) => name,
          key: ({ prefix, last4 }) => `${prefix}…${last4}`,
          scopes: ({ scopes }) => scopes,
          expires: ({ expiresAt }) => expiresAt,
          'last used': ({ lastUsedAt }) => lastUsedAt,
          id: ({ id }) => id,
        },
      );
    },
  );
  subcommand(group, 'get <id>', 'show the details of an API key, without its secret value').action(
    async (id: string, _options: object, command: Command) => {
      const context = new Context(command);
      context.show(await context.client.getApiKey({ org: context.organization, id }));
    },
  );
  subcommand(
    group,
    'create',
    'create an API key; the key is shown only once',
    new Option('--name <name>').makeOptionMandatory(),
    new Option('--scope <scopes>', 'permissions of the key, such as users:read,events:*').argParser(listed).makeOptionMandatory(),
    new Option('--expires-at <time>', 'expiry, such as 2030-01-31T12:00:00Z'),
  ).action(async ({ name, scope, expiresAt }: { name: string; scope: string[]; expiresAt?: string }, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'CreateApiKeyRequest'>>({ name, scopes: scope, expiresAt }, undefined);
    context.show(await context.client.createApiKey({ org: context.organization, body }));
  });
  subcommand(
    group,
    'rotate <id>',
    'create a successor of an API key; the new key is shown only once',
    new Option('--expires-in <seconds>', 'how long the previous key stays valid').argParser(positive),
  ).action(async (id: string, { expiresIn }: { expiresIn?: number }, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'RotateApiKeyRequest'>>({ expiresInSeconds: expiresIn }, undefined);
    context.show(await context.client.rotateApiKey({ org: context.organization, id, body }));
  });
  subcommand(group, 'revoke <id>', 'revoke an API key immediately', yesOption()).action(
    async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      const context = new Context(command);
      await context.confirm(`Revoke the API key ${id}?`, yes);
      await context.client.revokeApiKey({ org: context.organization, id });
      context.done(`Revoked ${id}.`, { revoked: id });
    },
  );
}
