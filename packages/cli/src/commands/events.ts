import type { FollowInput, InputOf, LoggedEvent } from '@identity-service/client';
import { type Command, Option } from 'commander';
import { Context } from '../context.js';
import { note, print, shown } from '../output.js';
import { limitOption, subcommand } from '../options.js';
import { interruption } from '../interruption.js';

/** Returns the email address or name of the event's subject, or the subject's ID. */
export function subjectOf({ data }: LoggedEvent): string {
  const fields = data as { email?: unknown; name?: unknown; user?: { email?: unknown }; userId?: unknown; id?: unknown };
  return shown(fields.email ?? fields.name ?? fields.user?.email ?? fields.userId ?? fields.id);
}

export function addEvents(program: Command): void {
  const group = program.command('events').description('read the event log: list, get, tail');
  const filters = (): Option[] => [
    new Option('--type <types>', 'event types and groups such as user.*, with commas between them'),
    new Option('--since <time>', 'events since this time, such as 2026-01-31T12:00:00Z'),
    new Option('--user <id>', 'events about this user'),
    new Option('--include-descendants', 'include events of descendant organizations'),
  ];
  const asQuery = ({ user, ...rest }: { user?: string }): object => ({ ...rest, ...(user !== undefined && { userId: user }) });

  subcommand(group, 'list', 'list events, newest first', limitOption(), ...filters()).action(
    async ({ limit, ...options }: { limit: number; user?: string }, command: Command) => {
      const context = new Context(command);
      const input = { org: context.organization, ...asQuery(options), limit: Math.min(limit, 100) };
      await context.showList(
        context.client.listEvents(input as InputOf<'listEvents'>),
        { limit },
        {
          time: ({ timestamp }) => timestamp,
          type: ({ type }) => type,
          about: (event) => subjectOf(event as LoggedEvent),
          by: ({ actor }) => actor?.email ?? actor?.id ?? actor?.type,
          id: ({ id }) => id,
        },
      );
    },
  );
  subcommand(group, 'get <id>', 'show an event with its data').action(async (id: string, _options: object, command: Command) => {
    const context = new Context(command);
    context.show(await context.client.getEvent({ org: context.organization, id }));
  });
  subcommand(group, 'tail', 'print events as they happen until Ctrl-C; with --json, one event per line', ...filters()).action(
    async (options: { user?: string }, command: Command) => {
      const context = new Context(command);
      const following = { signal: interruption(), onConnect: () => note('Waiting for events …'), onDisconnect };
      const input = { org: context.organization, ...asQuery(options) } as FollowInput;
      for await (const event of context.client.followEvents(input, following))
        print(context.isJson ? JSON.stringify(event) : lineOf(event));
    },
  );
}

export const onDisconnect = (error: Error): void => note(`${error.message} Reconnecting …`);

const lineOf = (event: LoggedEvent): string =>
  [
    event.timestamp,
    event.type.padEnd(31),
    event.id,
    subjectOf(event),
    `by ${shown(event.actor?.email ?? event.actor?.id ?? event.actor?.type)}`,
  ].join('  ');
