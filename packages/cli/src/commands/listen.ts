import { randomBytes } from 'node:crypto';
import type { LoggedEvent } from '@identity-service/client';
import { Webhooks } from '@identity-service/webhooks';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig, writeConfig } from '../config-file.js';
import { Context, USER_AGENT } from '../context.js';
import { CommandError } from '../failures.js';
import { interruption } from '../interruption.js';
import { listed } from '../options.js';
import { note, print, visible } from '../output.js';
import { onDisconnect } from './events.js';

interface ListenOptions {
  readonly forwardTo?: string;
  readonly events?: string[];
  readonly includeDescendants?: boolean;
  readonly since?: string;
  readonly secret?: string;
  readonly printSecret?: boolean;
}

/** The timeout of a request, as for webhook deliveries of the service. */
const TIMEOUT_MS = 15_000;
/** Maximum number of concurrent requests. A slow receiver slows the stream down, so events don't accumulate in memory. */
const MAX_CONCURRENT_REQUESTS = 10;

/** Adds `listen`, which forwards events of an organization to a local program. The requests are like webhook deliveries. */
export function addListen(program: Command): void {
  program
    .command('listen')
    .description('forward signed events to a local program, as a webhook would deliver them, until Ctrl-C')
    .option('--forward-to <url>', 'destination, such as http://localhost:4000/hooks', httpUrl)
    .addOption(new Option('--events <types>', 'event types to forward, such as user.*,role.assigned').argParser(listed))
    .option('--include-descendants', 'include events of descendant organizations')
    .option('--since <time>', 'start with the events since this time')
    .option('--secret <secret>', 'sign with this secret instead of the stored one')
    .option('--print-secret', 'print only the signing secret, and exit')
    .action(async (options: ListenOptions, command: Command) => {
      const context = new Context(command);
      const secret = options.secret ?? storedSecret(context);
      if (options.printSecret) return print(secret);
      if (options.forwardTo === undefined)
        throw new CommandError('The destination is missing. Set it with --forward-to http://localhost:4000/hooks.');
      await forward(context, options, options.forwardTo, secret);
    });
}

async function forward(context: Context, options: ListenOptions, url: string, secret: string): Promise<void> {
  const { client } = context;
  const organization = await client.getOrganization({ org: context.organization });
  const signatureHeader = await signatureHeaderOf(context.baseUrl);
  const webhooks = new Webhooks({ secret, signatureHeader });
  const isWanted = (event: LoggedEvent): boolean =>
    matches(options.events ?? ['*'], event.type) && (options.includeDescendants === true || belongs(event, organization.id));
  // Includes descendants, because webhooks of a parent organization receive the creation and deletion of a child.
  const input = { org: organization.id, includeDescendants: true, ...(options.since !== undefined && { since: options.since }) };
  const onConnect = (): void => {
    note(`Forwarding events of ${visible(organization.name)} to ${url}`);
    note(`Signature header: "${signatureHeader}", secret: ${secret}`);
  };
  const runningRequests = new Set<Promise<void>>();
  for await (const event of client.followEvents(input, { signal: interruption(), onConnect, onDisconnect })) {
    if (!isWanted(event)) continue;
    const delivery = deliver(webhooks, url, event)
      .then((outcome) =>
        print(context.isJson ? JSON.stringify({ event: event.id, type: event.type, ...outcome }) : lineOf(event, outcome)),
      )
      .finally(() => runningRequests.delete(delivery));
    runningRequests.add(delivery);
    if (runningRequests.size >= MAX_CONCURRENT_REQUESTS) await Promise.race(runningRequests);
  }
  await Promise.all(runningRequests);
}

interface Outcome {
  readonly status?: number;
  readonly error?: string;
  readonly milliseconds: number;
}

async function deliver(webhooks: Webhooks, url: string, event: LoggedEvent): Promise<Outcome> {
  // Has the fields and field order of webhook payloads, without fields that only the event log has.
  const { id, type, timestamp, organization, data, actor, metadata } = event;
  const body = JSON.stringify({ id, type, timestamp, organization, data, actor, metadata });
  const startedAt = performance.now();
  const milliseconds = (): number => Math.round(performance.now() - startedAt);
  try {
    const headers = { ...(await webhooks.sign(body, id)), 'user-agent': USER_AGENT };
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', body, headers, redirect: 'manual', signal });
    await response.body?.cancel();
    return { status: response.status, milliseconds: milliseconds() };
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    return { error: cause?.code ?? cause?.message ?? message, milliseconds: milliseconds() };
  }
}

const lineOf = (event: LoggedEvent, { status, error, milliseconds }: Outcome): string =>
  `${event.timestamp}  ${event.type.padEnd(31)}  ${event.id}  ${status ?? visible(error ?? '')}  ${milliseconds} ms`;

const matches = (patterns: readonly string[], type: string): boolean =>
  patterns.some((each) => each === '*' || each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))));

function belongs(event: LoggedEvent, organizationId: string): boolean {
  if (event.organization.id === organizationId) return true;
  const isAboutChild = event.type === 'organization.created' || event.type === 'organization.deleted';
  return isAboutChild && event.data.parentId === organizationId;
}

/** Returns the name of the signature header from the OpenAPI document. The name depends on the configuration of the service. */
async function signatureHeaderOf(baseUrl: string): Promise<string> {
  interface WebhookRequest {
    readonly post: { readonly parameters: readonly { readonly name: string }[] };
  }
  interface Document {
    readonly components: { readonly pathItems?: Readonly<Record<string, WebhookRequest>> };
  }
  const { components } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
  const names = Object.values(components.pathItems ?? {})[0]?.post.parameters.map(({ name }) => name) ?? [];
  const header = names.find((name) => name.endsWith('-signature') && name !== 'webhook-signature');
  if (header === undefined) throw new CommandError('The OpenAPI document of the service does not name a signature header.');
  return header;
}

/** Returns the secret for a service and organization. The secret is the same in each run of `listen`, because receivers store it. */
function storedSecret(context: Context): string {
  const name = `${context.baseUrl} ${context.organization}`;
  const config = readConfig();
  const stored = config.listenSecrets?.[name];
  if (stored !== undefined) return stored;
  const created = `whsec_${randomBytes(32).toString('base64')}`;
  writeConfig({ ...config, listenSecrets: { ...config.listenSecrets, [name]: created } });
  return created;
}

function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new InvalidArgumentError('It must be a URL such as http://localhost:4000/hooks.');
  return url.href;
}
