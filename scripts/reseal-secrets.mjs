import { join } from 'node:path';
import { config } from 'dotenv';
import { buildIfStale, projectDir } from './build-if-stale.mjs';
import { databaseUrl } from './database-url.mjs';

// Seals what older keys of SECRETS_KEY sealed under the newest, while the service runs: docs/operations.md has the steps.
config({ path: join(projectDir, '.env'), quiet: true });
try {
  buildIfStale();
  const { resealCommand } = await import('../dist/server/reseal-command.js');
  if (!(await resealCommand(await databaseUrl(), console.log))) process.exitCode = 1;
} catch (error) {
  console.error(
    error.code === '42P01'
      ? 'The database does not have all tables of this release. Start the service once to run the migrations.'
      : (error.problems?.join('\n') ?? error.message),
  );
  process.exitCode = 1;
}
