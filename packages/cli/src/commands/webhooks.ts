import type { InputOf, Schema } from '@identity-service/client';
import { EVENT_TYPES } from '@identity-service/webhooks';
import { Argument, type Command, Option } from 'commander';
import { Context } from '../context.js';
import { CommandError, EXIT } from '../failures.js';
import { bodyFrom, dataOption, limitOption, listed, positive, subcommand, yesOption } from '../options.js';

type Data = { data?: Record<string, unknown> };
type EventType = (typeof EVENT_TYPES)[number];

export function addWebhooks(program: Command): void {
  const group = program
    .command('webhooks')
    .description('manage webhooks: list, get, create, update, delete, test, secret, deliveries');
  addReadCommands(group);
  addWriteCommands(group);
  subcommand(group, 'secret <id>', 'show the signing secret').action(async (id: string, _options: object, command: Command) => {
    const context = new Context(command);
    context.show(await context.client.getWebhookSecret({ org: context.organization, id }));
  });
  subcommand(
    group,
    'rotate-secret <id>',
    'rotate the signing secret; without --activate-in, the new secret is used immediately',
    new Option(
      '--activate-in <seconds>',
      'delay until the new secret replaces the previous one; until then, both are valid',
    ).argParser(positive),
  ).action(async (id: string, { activateIn }: { activateIn?: number }, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'RotateSecretRequest'>>({ activateInSeconds: activateIn }, undefined);
    context.show(await context.client.rotateWebhookSecret({ org: context.organization, id, body }));
  });
  subcommand(group, 'test <id>', 'send an example event now')
    .addArgument(new Argument('[type]').choices(EVENT_TYPES).default('user.created'))
    .action(async (id: string, eventType: EventType, _options: object, command: Command) => {
      const context = new Context(command);
      const outcome = await context.client.testWebhook({ org: context.organization, id, body: { eventType } });
      context.show(outcome);
      if (!outcome.success) throw new CommandError('The destination did not accept the event.', EXIT.refused);
    });
  addDeliveryCommands(group);
}

function addDeliveryCommands(group: Command): void {
  subcommand(
    group,
    'deliveries <id>',
    'list the deliveries of a webhook, newest first',
    limitOption(),
    new Option('--status <status>').choices(['pending', 'delivering', 'succeeded', 'failed', 'skipped']),
  ).action(async (id: string, { limit, status }: { limit: number; status?: string }, command: Command) => {
    const context = new Context(command);
    const input = { org: context.organization, id, limit: Math.min(limit, 100), ...(status !== undefined && { status }) };
    await context.showList(
      context.client.listDeliveries(input as InputOf<'listDeliveries'>),
      { limit },
      {
        id: (delivery) => delivery.id,
        event: ({ eventType }) => eventType,
        status: (delivery) => delivery.status,
        attempts: ({ attemptCount }) => attemptCount,
        code: ({ lastResponseCode, lastErrorKind }) => lastResponseCode ?? lastErrorKind,
        'next attempt': ({ nextAttemptAt }) => nextAttemptAt,
        created: ({ createdAt }) => createdAt,
      },
    );
  });
  subcommand(group, 'retry <id> <delivery>', 'resend a delivery now').action(
    async (id: string, deliveryId: string, _options: object, command: Command) => {
      const context = new Context(command);
      context.show(await context.client.retryDelivery({ org: context.organization, id, deliveryId }));
    },
  );
}

function addReadCommands(group: Command): void {
  subcommand(group, 'list', 'list the webhooks of the organization', limitOption()).action(
    async ({ limit }: { limit: number }, command: Command) => {
      const context = new Context(command);
      await context.showList(
        context.client.listWebhooks({ org: context.organization, limit: Math.min(limit, 100) }),
        { limit },
        {
          name: ({ name }) => name,
          url: ({ url }) => url,
          events: ({ events }) => events,
          enabled: ({ enabled, disabledReason }) => (enabled ? 'yes' : `no (${disabledReason})`),
          id: ({ id }) => id,
        },
      );
    },
  );
  subcommand(group, 'get <id>', 'show a webhook with its success rate and last delivery').action(
    async (id: string, _options: object, command: Command) => {
      const context = new Context(command);
      context.show(await context.client.getWebhook({ org: context.organization, id }));
    },
  );
}

function addWriteCommands(group: Command): void {
  const events = new Option('--events <types>', 'event types, such as user.*,role.assigned, or * for all').argParser(listed);
  const descendants = new Option('--include-descendants', 'include events of descendant organizations');
  const name = new Option('--name <name>');

  subcommand(
    group,
    'create',
    'create a webhook; the output includes its signing secret',
    new Option('--url <url>', 'destination of the deliveries').makeOptionMandatory(),
    new Option('--events <types>', 'event types, such as user.*,role.assigned, or * for all')
      .argParser(listed)
      .makeOptionMandatory(),
    new Option('--secret <secret>', 'signing secret; generated by default'),
    name,
    descendants,
    dataOption(),
  ).action(async ({ data, ...options }: Data, command: Command) => {
    const context = new Context(command);
    const body = bodyFrom<Schema<'CreateWebhookRequest'>>(options, data);
    context.show(await context.client.createWebhook({ org: context.organization, body }));
  });
  subcommand(
    group,
    'update <id>',
    'update a webhook',
    new Option('--url <url>'),
    events,
    name,
    descendants,
    new Option('--enable').conflicts('disable'),
    new Option('--disable', 'disable the webhook; events are skipped until it is enabled'),
    dataOption(),
  ).action(
    async (id: string, { enable, disable, data, ...options }: { enable?: true; disable?: true } & Data, command: Command) => {
      const context = new Context(command);
      const enabled = enable ?? (disable ? false : undefined);
      const body = bodyFrom<Schema<'UpdateWebhookRequest'>>({ ...options, enabled }, data);
      context.show(await context.client.updateWebhook({ org: context.organization, id, body }));
    },
  );
  subcommand(group, 'delete <id>', 'delete a webhook and its delivery history', yesOption()).action(
    async (id: string, { yes }: { yes?: boolean }, command: Command) => {
      const context = new Context(command);
      await context.confirm(`Delete the webhook ${id}?`, yes);
      await context.client.deleteWebhook({ org: context.organization, id });
      context.done(`Deleted ${id}.`, { deleted: id });
    },
  );
}
