import { ConfigError } from '#platform/config';
import { openDataSource, TransactionRunner } from '#platform/database';
import { ResealingQuery } from '../resealing/resealing.query.js';
import { dashboardLink } from './dashboard-link.js';
import { databaseUrl } from './database-url.js';
import { distribute } from './distribute.js';
import { OperatorLinkQuery } from './operator-link.query.js';
import { PlatformKeyQuery } from './platform-key.query.js';
import { platformKeys } from './platform-keys.js';
import { resealSecrets } from './reseal-secrets.js';

type Database = Awaited<ReturnType<typeof openDataSource>>;

/** The commands by name. A command runs instead of the service. */
const COMMANDS: Record<string, (database: Database, parameters: readonly string[]) => Promise<void>> = {
  'dashboard-link': (database) => dashboardLink(new OperatorLinkQuery(database)),
  distribute: async () => distribute(await databaseUrl()),
  'platform-keys': (database, parameters) => platformKeys(new PlatformKeyQuery(database), parameters),
  'reseal-secrets': (database, parameters) =>
    resealSecrets(new ResealingQuery(database), new TransactionRunner(database), parameters),
};

/** Runs a command on the database of the service. If the command fails, prints the reason and sets the exit code. */
export async function runCommand(name: string, parameters: readonly string[]): Promise<void> {
  try {
    const command = COMMANDS[name];
    if (!command) throw new Error(`There is no command "${name}". Commands: ${Object.keys(COMMANDS).join(', ')}.`);
    const database = await openDataSource(await databaseUrl(), name);
    try {
      await command(database, parameters);
    } finally {
      await database.destroy();
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
