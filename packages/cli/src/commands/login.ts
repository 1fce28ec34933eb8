import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createIdentityClient, isApiError } from '@identity-service/client';
import type { Command } from 'commander';
import { configPath, readConfig, removeConfig, writeConfig } from '../config-file.js';
import { Context } from '../context.js';
import { CommandError } from '../failures.js';

export function addCredentialCommands(program: Command): void {
  program
    .command('login')
    .description('store an API key for later commands; prompts for the key, or reads it from standard input')
    .action(async (_options: object, command: Command) => {
      const context = new Context(command);
      const { baseUrl } = context;
      const apiKey = process.stdin.isTTY ? await promptHidden(`API key for ${baseUrl}: `) : (await text(process.stdin)).trim();
      if (apiKey === '') throw new CommandError('The API key is missing.');
      await checkKey(baseUrl, apiKey);
      const { organization = readConfig().organization } = command.optsWithGlobals<{ organization?: string }>();
      writeConfig({ ...readConfig(), baseUrl, apiKey, ...(organization !== undefined && { organization }) });
      context.done(`The API key is valid and is stored in ${configPath()}.`, { baseUrl, organization: organization ?? null });
    });
  program
    .command('logout')
    .description('delete the stored API key and settings')
    .action((_options: object, command: Command) => {
      removeConfig();
      new Context(command).done(
        'Deleted the stored API key. The key itself is still valid; revoke it if it is no longer needed.',
        {
          removed: true,
        },
      );
    });
  program
    .command('status')
    .description('show the service, API key and organization that commands use')
    .action(async (_options: object, command: Command) => {
      const context = new Context(command);
      const organization =
        command.optsWithGlobals<{ organization?: string }>().organization ?? context.config.organization ?? null;
      const apiKey = context.apiKey;
      await checkKey(context.baseUrl, apiKey);
      const key = `${apiKey.slice(0, 11)}…${apiKey.slice(-4)}`;
      context.show({ baseUrl: context.baseUrl, key, organization });
    });
}

/** Checks that an API key is valid. The key does not need the permission to list organizations. @throws ApiError for an invalid key */
async function checkKey(baseUrl: string, apiKey: string): Promise<void> {
  try {
    await createIdentityClient({ baseUrl, apiKey }).listOrganizations({ limit: 1 }).page();
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
