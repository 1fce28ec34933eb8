import type { NestExpressApplication } from '@nestjs/platform-express';
import { OperatorLinksService, PlatformKeysService } from '#identity/auth';
import type { AppConfig } from '#platform/config';
import { EventStreams } from '#platform/event-log';
import { type AppLogger, HealthChecks } from '#platform/observability';
import { drainHttp } from './drain-http.js';
import { openStores } from './open-stores.js';
import { createApp } from './setup-app.js';
import type { Shutdown } from './shutdown.js';
import { StartFailure } from './start-failure.js';
import { welcome } from './welcome.js';

/**
 * Starts the service. Prints the welcome message unless another process prints the message.
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
  await listen(app, config);
  shutdown.add('HTTP server', (remainingMs) => {
    app.get(HealthChecks).beginShutdown();
    app.get(EventStreams).end();
    return drainHttp(app.getHttpServer(), remainingMs);
  });
  if (printsWelcome) await printWelcome(app, config);
  return app;
}

/** Prints the addresses of the service, and a new platform key and operator link. */
async function printWelcome(app: NestExpressApplication, config: AppConfig): Promise<void> {
  const keys = config.role === 'worker' ? undefined : app.get(PlatformKeysService);
  // The key is created after the port is open. A start that fails because the port is in use would not print the key.
  const newKey = config.platformApiKey === undefined ? await keys?.ensure() : undefined;
  const link = config.role === 'worker' ? undefined : await app.get(OperatorLinksService).createAtStart();
  // The base URL belongs to API processes, not to a worker.
  const url = config.port === 0 || config.role === 'worker' ? await app.getUrl() : config.baseUrl;
  process.stdout.write(welcome(config, url, { newKey, link }));
}

async function listen(app: NestExpressApplication, { port, host }: AppConfig): Promise<void> {
  try {
    await app.listen(port, host);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE')
      throw new StartFailure(`Port ${port} on ${host} is in use by another program. Stop that program, or set PORT.`, {
        cause: error,
      });
    if (code === 'EACCES')
      throw new StartFailure(`This user is not allowed to listen on port ${port}. Set PORT to 1024 or above.`, { cause: error });
    if (code === 'EADDRNOTAVAIL')
      throw new StartFailure(`${host} is not an address of this machine. Check HOST.`, { cause: error });
    throw new StartFailure(`Can't listen on ${host}:${port} (${message}). Check HOST and PORT.`, { cause: error });
  }
}
