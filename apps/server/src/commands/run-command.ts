import { Client } from 'pg';
import { ConfigError } from '#platform/config';
import { dashboardLink } from './dashboard-link.js';
import { databaseUrl } from './database-url.js';
import { platformKeys } from './platform-keys.js';
import { resealSecrets } from './reseal-secrets.js';

/** What the server's program does instead of starting the service, by the name that follows it. */
const COMMANDS: Record<string, (client: Client, parameters: readonly string[]) => Promise<void>> = {
  'dashboard-link': dashboardLink,
  'platform-keys': platformKeys,
  'reseal-secrets': resealSecrets,
};

/** Runs a command on the service's database. Says what is wrong, and sets the exit code, when it fails. */
export async function runCommand(name: string, parameters: readonly string[]): Promise<void> {
  try {
    const command = COMMANDS[name];
    if (!command) throw new Error(`There is no command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}.`);
    const client = new Client({ connectionString: await databaseUrl(), application_name: name });
    await client.connect();
    try {
      await command(client, parameters);
    } finally {
      await client.end();
    }
  } catch (error) {
    console.error(reasonOf(error));
    process.exitCode = 1;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof ConfigError) return error.problems.join('\n');
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && error.code === '42P01'
    ? 'The database does not have all tables of this release. Start the service once to run the migrations.'
    : error.message;
}
