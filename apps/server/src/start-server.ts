import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { OperatorsService, PlatformKeysService } from '#identity/auth';
import type { AppConfig } from '#platform/config';
import { EventStreams } from '#platform/event-log';
import { type AppLogger, HealthChecks } from '#platform/observability';
import { drainHttp } from './drain-http.js';
import { createMonitoringServer } from './monitoring-port.js';
import { openStores } from './open-stores.js';
import { createApp } from './setup-app.js';
import type { Shutdown } from './shutdown.js';
import { StartFailure } from './start-failure.js';
import { welcome } from './welcome.js';

/**
 * Starts the service. Prints the welcome message, or in production logs a line, unless another process does.
 * @throws StartFailure, ConfigError, EmbeddedPostgresError with a message for the operator
 */
export async function startServer(
  initialConfig: AppConfig,
  logger: AppLogger,
  shutdown: Shutdown,
  { printsWelcome } = { printsWelcome: true },
): Promise<NestExpressApplication> {
  const config = await openStores(initialConfig, logger, shutdown);
  const app = await createApp(config);
  shutdown.add('application', () => app.close());
  await app.init();
  const keys = config.role === 'worker' ? undefined : app.get(PlatformKeysService);
  // `PLATFORM_API_KEY` must be valid before the first request.
  if (config.platformApiKey !== undefined) await keys?.ensure();
  const { port, host, monitoringPort } = config;
  if (monitoringPort !== undefined) {
    const monitoring = createMonitoringServer(app.getHttpAdapter().getInstance() as RequestListener);
    shutdown.add('monitoring server', () => closeServer(monitoring));
    await asListenFailure(once(monitoring.listen(monitoringPort, host), 'listening'), host, monitoringPort, 'MONITORING_PORT');
  }
  await asListenFailure(app.listen(port, host), host, port, 'PORT');
  shutdown.add('HTTP server', (remainingMs) => {
    app.get(HealthChecks).beginShutdown();
    app.get(EventStreams).end();
    return drainHttp(app.getHttpServer(), remainingMs);
  });
  if (printsWelcome) await (config.production ? logReady(app, config, logger) : printWelcome(app, config));
  return app;
}

/** Logs the addresses of the service. Logs no credentials, because logs are collected: the commands create and print them. */
async function logReady(app: NestExpressApplication, config: AppConfig, logger: AppLogger): Promise<void> {
  if (config.role === 'worker') return logger.log('The worker is ready.');
  const { baseUrl } = config;
  logger.log('The service is ready.', {
    url: baseUrl,
    dashboard: `${baseUrl}/dashboard`,
    ...(config.docs ? { documentation: `${baseUrl}/docs`, guide: `${baseUrl}/docs/guide` } : {}),
  });
  if (!(await app.get(PlatformKeysService).exists()))
    logger.warn(
      'There is no platform key. Set PLATFORM_API_KEY, or run the command "platform-keys create", which prints a new key.',
    );
}

/** Prints the addresses of the service, and a new platform key and operator link. */
async function printWelcome(app: NestExpressApplication, config: AppConfig): Promise<void> {
  const keys = config.role === 'worker' ? undefined : app.get(PlatformKeysService);
  // The key is created after the port is open. A start that fails because the port is in use would not print the key.
  const newKey = config.platformApiKey === undefined ? await keys?.ensure() : undefined;
  const link = config.role === 'worker' ? undefined : await app.get(OperatorsService).createLinkAtStart();
  // The base URL belongs to API processes, not to a worker.
  const url = config.port === 0 || config.role === 'worker' ? await app.getUrl() : config.baseUrl;
  process.stdout.write(welcome(config, url, { newKey, link }));
}

/** Converts the errors of listening to a `StartFailure`. `variable` is the variable with the port. */
async function asListenFailure(listening: Promise<unknown>, host: string, port: number, variable: string): Promise<void> {
  try {
    await listening;
  } catch (error) {
    throw new StartFailure(listenProblem(error as NodeJS.ErrnoException, host, port, variable), { cause: error });
  }
}

function listenProblem({ code, message }: NodeJS.ErrnoException, host: string, port: number, variable: string): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use by another program. Stop that program, or set ${variable}.`;
  if (code === 'EACCES') return `This user is not allowed to listen on port ${port}. Set ${variable} to 1024 or above.`;
  if (code === 'EADDRNOTAVAIL') return `${host} is not an address of this machine. Check HOST.`;
  return `Can't listen on ${host}:${port} (${message}). Check HOST and ${variable}.`;
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
