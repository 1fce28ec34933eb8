import { randomBytes } from 'node:crypto';
import type { IdentityClient } from '@identity-service/client';
import { EVENT_TYPES } from '@identity-service/webhooks';
import { Argument, type Command } from 'commander';
import { Context } from '../context.js';
import { CommandError, EXIT } from '../failures.js';

type EventType = (typeof EVENT_TYPES)[number];

/** What a recipe works with. */
interface Kitchen {
  readonly client: IdentityClient;
  readonly org: string;
  /** Part of every name, so that things made here don't meet, and can be told from others. */
  readonly mark: string;
}

/** Does what the event tells of, and gives what it was done to. */
type Recipe = (kitchen: Kitchen) => Promise<object>;

const AN_HOUR_MS = 3_600_000;

const user = ({ client, org, mark }: Kitchen) =>
  client.createUser({ org, body: { email: `${mark}@example.com`, firstName: 'Trigger', lastName: mark, sendInvitation: false } });
const role = ({ client, org, mark }: Kitchen) =>
  client.createRole({ org, body: { name: mark, description: 'Made by identity-service trigger.', permissions: ['users:read'] } });
const below = ({ client, org, mark }: Kitchen) => client.createOrganization({ body: { name: mark, slug: mark, parentId: org } });
const key = ({ client, org, mark }: Kitchen) =>
  client.createApiKey({
    org,
    body: { name: mark, scopes: ['users:read'], expiresAt: new Date(Date.now() + AN_HOUR_MS).toISOString() },
  });

const RECIPES: Partial<Record<EventType, Recipe>> = {
  'user.created': user,
  'user.updated': async (kitchen) => {
    const { id } = await user(kitchen);
    return kitchen.client.updateUser({ org: kitchen.org, id, body: { firstName: 'Triggered' } });
  },
  'user.deleted': async (kitchen) => {
    const { id } = await user(kitchen);
    await kitchen.client.deleteUser({ org: kitchen.org, id });
    return { id };
  },
  'user.suspended': async (kitchen) => {
    const { id } = await user(kitchen);
    return kitchen.client.suspendUser({ org: kitchen.org, id, body: { reason: 'identity-service trigger' } });
  },
  'user.activated': async (kitchen) => {
    const { id } = await user(kitchen);
    return kitchen.client.activateUser({ org: kitchen.org, id });
  },
  'user.login_failed': async (kitchen) => {
    const { id, email } = await user(kitchen);
    const { client, org, mark } = kitchen;
    // That it is refused is what was wanted.
    await client.login({ body: { organization: org, email, password: mark } }).catch(() => undefined);
    return { id, email };
  },
  'organization.created': below,
  'organization.updated': ({ client, org, mark }) =>
    client.updateOrganization({ org, body: { metadata: { lastTrigger: mark } } }),
  'organization.deleted': async (kitchen) => {
    const { id } = await below(kitchen);
    await kitchen.client.deleteOrganization({ org: id });
    return { id };
  },
  'organization.member_added': async (kitchen) => {
    const { id } = await user(kitchen);
    return kitchen.client.addMember({ org: kitchen.org, body: { userId: id } });
  },
  'organization.member_removed': async (kitchen) => {
    const { id } = await user(kitchen);
    await kitchen.client.removeMember({ org: kitchen.org, userId: id });
    return { id };
  },
  'role.created': role,
  'role.updated': async (kitchen) => {
    const { id } = await role(kitchen);
    return kitchen.client.updateRole({ org: kitchen.org, roleId: id, body: { description: 'Triggered.' } });
  },
  'role.deleted': async (kitchen) => {
    const { id } = await role(kitchen);
    await kitchen.client.deleteRole({ org: kitchen.org, roleId: id });
    return { id };
  },
  'role.assigned': async (kitchen) => {
    const { id } = await user(kitchen);
    return kitchen.client.assignRole({ org: kitchen.org, id, body: { roleId: 'viewer' } });
  },
  'role.revoked': async (kitchen) => {
    const { id } = await user(kitchen);
    await kitchen.client.assignRole({ org: kitchen.org, id, body: { roleId: 'viewer' } });
    await kitchen.client.revokeRole({ org: kitchen.org, id, roleId: 'viewer' });
    return { id };
  },
  'security.api_key_created': async (kitchen) => {
    const { key: _secret, ...rest } = await key(kitchen);
    return rest;
  },
  'security.api_key_revoked': async (kitchen) => {
    const { id } = await key(kitchen);
    await kitchen.client.revokeApiKey({ org: kitchen.org, id });
    return { id };
  },
};

/** Makes an event happen, to see what becomes of it. */
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
      const made = await recipe({ client, org, mark: `trigger-${randomBytes(4).toString('hex')}` });
      if (!context.isJson) context.done(`Triggered ${type} with:`, made);
      context.show(made);
    });
}
