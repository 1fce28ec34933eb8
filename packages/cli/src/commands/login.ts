import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createIdentityClient, isApiError } from '@identity-service/client';
import type { Command } from 'commander';
import { configPath, readConfig, removeConfig, writeConfig } from '../config-file.js';
import { Context } from '../context.js';
import { CommandError } from '../failures.js';

/** Who comes in, who is there, and out again. */
export function addLogin(program: Command): void {
  program
    .command('login')
    .description('keep a key of the service for the commands to come; it is asked for, or read from the standard input')
    .action(async (_options: object, command: Command) => {
      const context = new Context(command);
      const { baseUrl } = context;
      const apiKey = process.stdin.isTTY ? await hiddenAnswer(`API key for ${baseUrl}: `) : (await text(process.stdin)).trim();
      if (apiKey === '') throw new CommandError('No key was given.');
      await checkKey(baseUrl, apiKey);
      const { organization = readConfig().organization } = command.optsWithGlobals<{ organization?: string }>();
      writeConfig({ ...readConfig(), baseUrl, apiKey, ...(organization !== undefined && { organization }) });
      context.done(`The key works, and is kept in ${configPath()}.`, { baseUrl, organization: organization ?? null });
    });
  program
    .command('logout')
    .description('forget the key and all that was kept')
    .action((_options: object, command: Command) => {
      removeConfig();
      new Context(command).done('Forgotten. The key itself is as valid as before: revoke it if nobody needs it.', {
        removed: true,
      });
    });
  program
    .command('status')
    .description('which service, key and organization commands use')
    .action(async (_options: object, command: Command) => {
      const context = new Context(command);
      const organization =
        command.optsWithGlobals<{ organization?: string }>().organization ?? context.config.organization ?? null;
      const apiKey = context.knownKey;
      await checkKey(context.baseUrl, apiKey);
      const key = `${apiKey.slice(0, 11)}…${apiKey.slice(-4)}`;
      context.show({ baseUrl: context.baseUrl, key, organization });
    });
}

/** A key that may not list organizations is known all the same. @throws ApiError for one that is not */
async function checkKey(baseUrl: string, apiKey: string): Promise<void> {
  try {
    await createIdentityClient({ baseUrl, apiKey }).listOrganizations({ limit: 1 }).page();
  } catch (error) {
    if (!isApiError(error, 'forbidden')) throw error;
  }
}

async function hiddenAnswer(question: string): Promise<string> {
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
