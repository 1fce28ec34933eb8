import { randomBytes } from 'node:crypto';
import type { IdentityClient } from '@identity-service/client';
import { EVENT_TYPES } from '@identity-service/webhooks';
import { Argument, type Command } from 'commander';
import { Context } from '../context.js';
import { CommandError, EXIT } from '../failures.js';

type EventType = (typeof EVENT_TYPES)[number];

interface RecipeContext {
  readonly client: IdentityClient;
  readonly org: string;
  /** Part of every name that a recipe creates, so that names are unique and recognizable. */
  readonly mark: string;
}

/** A function that causes an event and returns the changed resource. */
type Recipe = (context: RecipeContext) => Promise<object>;

const AN_HOUR_MS = 3_600_000;

const user = ({ client, org, mark }: RecipeContext) =>
  client.createUser({ org, body: { email: `${mark}@example.com`, firstName: 'Trigger', lastName: mark, sendInvitation: false } });
const role = ({ client, org, mark }: RecipeContext) =>
  client.createRole({ org, body: { name: mark, description: 'Made by identity-service trigger.', permissions: ['users:read'] } });
const childOrganization = ({ client, org, mark }: RecipeContext) =>
  client.createOrganization({ body: { name: mark, slug: mark, parentId: org } });
const key = ({ client, org, mark }: RecipeContext) =>
  client.createApiKey({
    org,
    body: { name: mark, scopes: ['users:read'], expiresAt: new Date(Date.now() + AN_HOUR_MS).toISOString() },
  });

const RECIPES: Partial<Record<EventType, Recipe>> = {
  'user.created': user,
  'user.updated': async (context) => {
    const { id } = await user(context);
    return context.client.updateUser({ org: context.org, id, body: { firstName: 'Triggered' } });
  },
  'user.deleted': async (context) => {
    const { id } = await user(context);
    await context.client.deleteUser({ org: context.org, id });
    return { id };
  },
  'user.suspended': async (context) => {
    const { id } = await user(context);
    return context.client.suspendUser({ org: context.org, id, body: { reason: 'identity-service trigger' } });
  },
  'user.activated': async (context) => {
    const { id } = await user(context);
    return context.client.activateUser({ org: context.org, id });
  },
  'user.login_failed': async (context) => {
    const { id, email } = await user(context);
    const { client, org, mark } = context;
    // The failed sign-in causes the event.
    await client.login({ body: { organization: org, email, password: mark } }).catch(() => undefined);
    return { id, email };
  },
  'organization.created': childOrganization,
  'organization.updated': ({ client, org, mark }) =>
    client.updateOrganization({ org, body: { metadata: { lastTrigger: mark } } }),
  'organization.moved': async (context) => {
    const [parent, { id }] = [
      await childOrganization(context),
      await childOrganization({ ...context, mark: `${context.mark}-moved` }),
    ];
    return context.client.moveOrganization({ org: id, body: { parentId: parent.id } });
  },
  'organization.deleted': async (context) => {
    const { id } = await childOrganization(context);
    await context.client.deleteOrganization({ org: id });
    return { id };
  },
  'organization.member_added': async (context) => {
    const { id } = await user(context);
    return context.client.addMember({ org: context.org, body: { userId: id } });
  },
  'organization.member_removed': async (context) => {
    const { id } = await user(context);
    await context.client.removeMember({ org: context.org, userId: id });
    return { id };
  },
  'role.created': role,
  'role.updated': async (context) => {
    const { id } = await role(context);
    return context.client.updateRole({ org: context.org, roleId: id, body: { description: 'Triggered.' } });
  },
  'role.deleted': async (context) => {
    const { id } = await role(context);
    await context.client.deleteRole({ org: context.org, roleId: id });
    return { id };
  },
  'role.assigned': async (context) => {
    const { id } = await user(context);
    return context.client.assignRole({ org: context.org, id, body: { roleId: 'viewer' } });
  },
  'role.revoked': async (context) => {
    const { id } = await user(context);
    await context.client.assignRole({ org: context.org, id, body: { roleId: 'viewer' } });
    await context.client.revokeRole({ org: context.org, id, roleId: 'viewer' });
    return { id };
  },
  'security.api_key_created': async (context) => {
    const { key: _secret, ...rest } = await key(context);
    return rest;
  },
  'security.api_key_revoked': async (context) => {
    const { id } = await key(context);
    await context.client.revokeApiKey({ org: context.org, id });
    return { id };
  },
};

export function addTrigger(program: Command): void {
  program
    .command('trigger')
    .description('trigger an event by making the change itself in the organization; use a test organization')
    .addArgument(new Argument('<type>', 'event type').choices(EVENT_TYPES))
    .option('--webhook <id>', 'change nothing, and send the example event of the type to this webhook')
    .action(async (type: EventType, { webhook }: { webhook?: string }, command: Command) => {
      const context = new Context(command);
      const { client, organization: org } = context;
      if (webhook !== undefined) {
        const outcome = await client.testWebhook({ org, id: webhook, body: { eventType: type } });
        context.show(outcome);
        if (!outcome.success) throw new CommandError('The destination did not accept the event.', EXIT.refused);
        return;
      }
      const recipe = RECIPES[type];
      if (!recipe) {
        throw new CommandError(
          `${type} can't be triggered, because it requires a user who signs in. Use "--webhook <id>" to send its example event to a webhook. Types that can be triggered: ${Object.keys(RECIPES).join(', ')}.`,
        );
      }
      const resource = await recipe({ client, org, mark: `trigger-${randomBytes(4).toString('hex')}` });
      if (!context.isJson) context.done(`Triggered ${type} with:`, resource);
      context.show(resource);
    });
}
