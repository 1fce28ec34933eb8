#!/usr/bin/env node
import 'reflect-metadata';
import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { config as readDotEnv } from 'dotenv';
import { type AppConfig, ConfigError, loadConfig, misspeltVariables } from '#platform/config';
import { EmbeddedPostgresError } from '#platform/database';
import { createLogger } from '#platform/observability';
import { currentBuild } from './current-build.js';
import { Shutdown } from './shutdown.js';
import { StartFailure } from './start-failure.js';

/** Prints one line for an error that the operator can fix, or the stack for any other error, and exits. */
function fail(error: unknown): never {
  if (error instanceof ConfigError) console.error(error.problems.join('\n'));
  else if (error instanceof StartFailure || error instanceof EmbeddedPostgresError) console.error(error.message);
  else console.error('The service could not start.', error);
  process.exit(1);
}

function readConfig(): AppConfig {
  try {
    return loadConfig(process.env);
  } catch (error) {
    return fail(error);
  }
}

/** By which factor V8 enlarges the space for young objects. */
const DEFAULT_GROWTH_FACTOR = 2;

async function serve(): Promise<void> {
  // Collects garbage when the heap has grown by half. By default, the heap grows fourfold before that. Long exports and imports would
  // then need several hundred megabytes, more than small containers have.
  setFlagsFromString('--heap-growing-percent=50');
  // Keeps the space for young objects small until the start is complete. It would grow for the objects of the start, and keep 20 MiB.
  setFlagsFromString('--semi-space-growth-factor=1');
  const config = readConfig();
  const logger = createLogger(config.logLevel);
  const shutdown = new Shutdown(config.shutdownTimeoutMs, logger);
  const isForkedProcess = config.workers > 1 && cluster.isWorker;
  if (isForkedProcess) shutdown.follow();
  else {
    shutdown.listen();
    logger.log(`Starting ${currentBuild}.`, { ...currentBuild, role: config.role, node: process.version });
    for (const line of misspeltVariables(process.env)) logger.warn(line);
  }
  try {
    // Imported after the check of the environment, so that an invalid environment is reported quickly.
    if (isForkedProcess) await (await import('./cluster/start-process.js')).startProcess(config, logger, shutdown);
    else if (config.workers > 1)
      await (await import('./cluster/start-primary.js')).startPrimary(config, import.meta.filename, logger, shutdown);
    else await (await import('./start-server.js')).startServer(config, logger, shutdown);
    setFlagsFromString(`--semi-space-growth-factor=${DEFAULT_GROWTH_FACTOR}`);
  } catch (error) {
    // An error during a shutdown is not a failure to start.
    const stoppedBySignal = shutdown.isRunning;
    await shutdown.run();
    if (!stoppedBySignal) fail(error);
  }
}

readDotEnv({ quiet: true });
const [command, ...parameters] = process.argv.slice(2);
if (command === '--version') console.log(String(currentBuild));
else if (command === undefined) await serve();
else await (await import('./commands/run-command.js')).runCommand(command, parameters);
