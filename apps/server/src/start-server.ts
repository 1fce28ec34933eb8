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
 * Starts everything that this process is to do, and says on standard output where it is reached, unless another of several does.
 * @throws StartFailure and others made for the operator, one line each; anything else is a fault of the service.
 */
export async function startServer(
  given: AppConfig,
  logger: AppLogger,
  shutdown: Shutdown,
  { welcomes } = { welcomes: true },
): Promise<NestExpressApplication> {
  const config = await openStores(given, logger, shutdown);
  const app = await createApp(config);
  shutdown.add('application', () => app.close());
  await app.init();
  const keys = config.role === 'worker' ? undefined : app.get(PlatformKeysService);
  // The operator's own key counts from the first request on.
  if (config.platformApiKey !== undefined) await keys?.ensure();
  await listen(app, config);
  shutdown.add('HTTP server', (remainingMs) => {
    app.get(HealthChecks).beginShutdown();
    app.get(EventStreams).end();
    return drainHttp(app.getHttpServer(), remainingMs);
  });
  if (welcomes) await showWelcome(app, config);
  return app;
}

/** Shows where the service is reached, and what this very start has made. */
async function showWelcome(app: NestExpressApplication, config: AppConfig): Promise<void> {
  const keys = config.role === 'worker' ? undefined : app.get(PlatformKeysService);
  // Made only now: were it made by a start that then finds its port taken, nobody would ever get to see it.
  const newKey = config.platformApiKey === undefined ? await keys?.ensure() : undefined;
  const link = config.role === 'worker' ? undefined : await app.get(OperatorLinksService).createAtStart();
  // The public address leads to processes that serve the API, never to a worker.
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
