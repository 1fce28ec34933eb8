import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { assertRoutesDeclareAccess } from '#identity/auth';
import { OAuthEndpointsService } from '#identity/oauth';
import type { AppConfig } from '#platform/config';
import { EventStreams } from '#platform/event-log';
import {
  compressPages,
  encodedUrl,
  JsonAdapter,
  jsonBody,
  ProblemFilter,
  requestContext,
  RequestValidationPipe,
  securityHeaders,
} from '#platform/http';
import {
  AppLogger,
  EventLoopWatchdog,
  MetricsService,
  OverloadGuard,
  requestLog,
  requestTrace,
  Tracing,
} from '#platform/observability';
import { USER_IMPORT_BODY } from '#directory/users';
import { DatabasePoolMetricsQuery } from './database-pool-metrics.query.js';
import { serveDocs } from './docs/serve-docs.js';
import { serveGuide } from './docs/serve-guide.js';
import { pathsOfPort } from './monitoring-port.js';
import { ServerModule } from './server.module.js';
import { serveWeb } from './web/serve-web.js';

const STARTUP_CONTEXTS = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Creates the application, ready to listen, for the server and for tests. @throws Error if a route declares no access */
export async function createApp(config: AppConfig): Promise<NestExpressApplication> {
  // abortOnError would end the process instead of throwing.
  const app = await NestFactory.create<NestExpressApplication>(
    ServerModule.forRoot(config),
    new JsonAdapter(config.httpKeepAliveTimeoutMs),
    {
      bodyParser: false,
      bufferLogs: true,
      abortOnError: false,
    },
  );
  app.useLogger(withoutStartupLines(app.get(AppLogger)));
  setupApp(app, config);
  return app;
}

/** Installs the middleware, pipes and filters of all routes. */
function setupApp(app: NestExpressApplication, config: AppConfig): void {
  assertRoutesDeclareAccess(app);
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.set('trust proxy', config.trustProxy.length > 0 ? [...config.trustProxy] : false);

  const guard = app.get(OverloadGuard);
  const [streams, pool] = [app.get(EventStreams), app.get(DatabasePoolMetricsQuery)];
  guard.watch({ openStreams: () => streams.openCount, waitingForDatabase: () => pool.waitingRequests });
  app.use(app.get(EventLoopWatchdog).handle);
  app.use(requestContext);
  app.use(securityHeaders);
  app.use(guard.handle);
  const { recorder } = app.get(Tracing);
  if (recorder) app.use(requestTrace(recorder));
  app.use(requestLog(app.get(AppLogger), app.get(MetricsService)));
  app.use(pathsOfPort(config));
  app.use(encodedUrl);
  app.use(app.get(OAuthEndpointsService).handle);
  app.use(compressPages);
  app.use(jsonBody([USER_IMPORT_BODY]));
  app.useGlobalPipes(new RequestValidationPipe());
  app.useGlobalFilters(new ProblemFilter(config));
  if (config.docs) {
    serveGuide(app);
    serveDocs(app, config);
  }
  serveWeb(app);
}

/** Drops Nest's log lines about each module and route. Hundreds of lines would hide the important lines. */
function withoutStartupLines(logger: AppLogger): LoggerService {
  return {
    log: (message: unknown, ...rest: unknown[]) => {
      if (!STARTUP_CONTEXTS.has(String(rest.at(-1)))) logger.log(message, ...rest);
    },
    error: logger.error.bind(logger),
    warn: logger.warn.bind(logger),
    debug: logger.debug.bind(logger),
    verbose: logger.verbose.bind(logger),
    fatal: logger.fatal.bind(logger),
  };
}
