import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createIdentityClient, type IdentityClient, isApiError } from '@identity-service/client';
import type { Command } from 'commander';
import { configPath, readConfig, removeConfig, writeConfig } from '../config-file.js';
import { Context } from '../context.js';
import { CommandError } from '../failures.js';
import { revoke, signIn } from '../sign-in.js';

interface LoginOptions {
  readonly apiKey?: boolean;
  readonly device?: boolean;
  readonly organization?: string;
}

export function addCredentialCommands(program: Command): void {
  program
    .command('login')
    .description('sign in with a code in a browser; standard input that is not a terminal has an API key to store')
    .option('--api-key', 'store an API key instead; prompts for the key')
    .option('--device', 'sign in also if standard input is not a terminal')
    .action((_options: object, command: Command) => login(new Context(command), command.optsWithGlobals<LoginOptions>()));
  program
    .command('logout')
    .description('delete the stored sign-in, API key and settings')
    .action(async (_options: object, command: Command) => {
      const { baseUrl, signIn: stored } = readConfig();
      if (stored && baseUrl !== undefined) await revoke(baseUrl, stored);
      removeConfig();
      const message = stored
        ? 'Signed out.'
        : 'Deleted the stored API key. The key itself is still valid; revoke it if it is no longer needed.';
      new Context(command).done(message, { removed: true });
    });
  program
    .command('status')
    .description('show the service, credential and organization that commands use')
    .action(async (_options: object, command: Command) => {
      const context = new Context(command);
      const organization = command.optsWithGlobals<LoginOptions>().organization ?? context.config.organization ?? null;
      const { baseUrl, apiKey } = context;
      await checkAccess(context.client);
      const credential = apiKey === undefined ? { signedIn: true } : { key: `${apiKey.slice(0, 11)}…${apiKey.slice(-4)}` };
      context.show({ baseUrl, ...credential, organization });
    });
}

async function login(context: Context, options: LoginOptions): Promise<void> {
  const { baseUrl } = context;
  const isTerminal = process.stdin.isTTY;
  const usesKey = options.apiKey === true || (!isTerminal && options.device !== true);
  const { apiKey: _key, signIn: _signIn, ...others } = readConfig();
  const { organization = others.organization } = options;
  const rest = { ...others, baseUrl, ...(organization !== undefined && { organization }) };
  if (usesKey) {
    const apiKey = isTerminal ? await promptHidden(`API key for ${baseUrl}: `) : (await text(process.stdin)).trim();
    if (apiKey === '') throw new CommandError('The API key is missing.');
    await checkAccess(createIdentityClient({ baseUrl, apiKey }));
    writeConfig({ ...rest, apiKey });
  } else writeConfig({ ...rest, signIn: await signIn(baseUrl) });
  const message = usesKey ? 'The API key is valid and is' : 'You are signed in. The sign-in is';
  context.done(`${message} stored in ${configPath()}.`, { baseUrl, organization: organization ?? null });
}

/** Checks that the credential of a client is valid. It does not need the permission to list organizations. @throws ApiError if it is invalid */
async function checkAccess(client: IdentityClient): Promise<void> {
  try {
    await client.listOrganizations({ limit: 1 }).page();
  } catch (error) {
    if (!isApiError(error, 'forbidden')) throw error;
  }
}

async function promptHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  try {
    return (await terminal.question('')).trim();
  } finally {
    terminal.close();
    process.stderr.write('\n');
  }
}
