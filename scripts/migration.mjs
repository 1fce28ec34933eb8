import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from 'dotenv';
import { buildIfStale, projectDir } from './build-if-stale.mjs';
import { MIGRATIONS_FOLDER, nextTimestamp, withMigration } from './migration-files.mjs';

const MIGRATIONS_DIR = join(projectDir, MIGRATIONS_FOLDER);
const USAGE = 'Usage: node scripts/migration.mjs create <name> | run | revert';

config({ path: join(projectDir, '.env'), quiet: true });
const [action, name] = process.argv.slice(2);
try {
  if (action === 'create' && name) create(name);
  else if (action === 'run' || action === 'revert') process.exitCode = await withDatabase((url) => migrate(action, url));
  else throw new Error(USAGE);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

/** Writes an empty migration and adds it to the list that the service and the TypeORM CLI run. */
function create(givenName) {
  const slug = givenName
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  if (!/^[a-z]/.test(slug)) throw new Error(`The name of a migration must start with a letter: "${givenName}".`);
  const timestamp = nextTimestamp(projectDir);
  const className = `${slug.replaceAll(/(?:^|-)([a-z0-9])/g, (_, letter) => letter.toUpperCase())}${timestamp}`;
  const file = `${timestamp}-${slug}`;

  const list = join(MIGRATIONS_DIR, 'index.ts');
  const updated = withMigration(readFileSync(list, 'utf8'), className, file);
  writeFileSync(join(MIGRATIONS_DIR, `${file}.ts`), template(className), { flag: 'wx' });
  writeFileSync(list, updated);
  console.log(`Wrote libs/platform/database/src/migrations/${file}.ts and added it to index.ts in the same folder.`);
}

function template(className) {
  return `import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ${className} implements MigrationInterface {
  readonly name = '${className}';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(\`
    \`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(\`
    \`);
  }
}
`;
}

/** Calls `use` with DATABASE_URL or with the URL of the embedded server. Starts the embedded server if it is not running. */
async function withDatabase(use) {
  buildIfStale();
  if (process.env.DATABASE_URL || process.env.DATABASE_URL_FILE) {
    const { databaseUrl } = await import('../dist/server/database-url.js');
    return use(await databaseUrl());
  }
  const { findRunningEmbeddedPostgres, startEmbeddedPostgres } = await import('../dist/server/embedded-postgres.js');
  const dataDir = process.env.DATA_DIR || join(projectDir, '.data');
  const running = await findRunningEmbeddedPostgres(dataDir);
  if (running) return use(running);

  const server = await startEmbeddedPostgres({ dataDir, log: console.error });
  // Ignores Ctrl-C, which ends the CLI, so that this process can stop the server.
  const ignore = () => undefined;
  process.on('SIGINT', ignore).on('SIGTERM', ignore);
  try {
    return await use(server.url);
  } finally {
    await server.stop();
  }
}

/** Runs or reverts migrations. Like the start of the service, distributes new tables if DATABASE_DISTRIBUTED is set. */
async function migrate(command, databaseUrl) {
  const cli = join(projectDir, 'node_modules/typeorm/cli.js');
  const code = await run([cli, `migration:${command}`, '-d', join(projectDir, 'dist/server/ormconfig.js')], databaseUrl);
  if (code !== 0 || command !== 'run' || !process.env.DATABASE_DISTRIBUTED) return code;
  return run([join(projectDir, 'dist/server/main.js'), 'distribute'], databaseUrl);
}

function run(script, databaseUrl) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, script, {
      cwd: projectDir,
      env: { ...process.env, DATABASE_URL: databaseUrl, DATABASE_URL_FILE: '' },
      stdio: 'inherit',
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
