import type { RequestContext } from '#platform/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AppLogger } from './app-logger.js';
import type { MetricsService } from './metrics.service.js';
import { traceIdOf } from './tracing/tracing.js';

/** The route of requests that no handler took: one name for all, since strangers choose their paths. */
const NO_ROUTE = 'unmatched';

/** Asked every few seconds by machines: their lines and traces would bury the others. */
const PROBES = /^\/(health\/|metrics$)/;

/** Whether a path or route is that of a probe. */
export const isProbe = (path: string): boolean => PROBES.test(path);

/**
 * Express middleware that logs one line per request and counts it. To be installed before everything else, so that
 * refused requests are seen, too; those that overload refuses have a counter of their own, since a line for each would add to it.
 *
 * A line has the method, the route's template, the status, the time in milliseconds, the request id and the id of the key or user
 * that asked: no path that was really asked for, no query and no address, which may hold data of people.
 */
export function requestLog(logger: AppLogger, metrics: MetricsService): RequestHandler {
  return (request: Request & { context?: RequestContext }, response: Response, next: NextFunction) => {
    const startedNs = process.hrtime.bigint();
    response.once('close', () => {
      const durationMs = Number(process.hrtime.bigint() - startedNs) / 1e6;
      const { method } = request;
      const route = routeOf(request);
      // The caller went away before the answer was complete.
      const aborted = !response.writableFinished;
      const status = response.statusCode;

      metrics.httpRequests.observe({ method, route, status: aborted ? 'aborted' : String(status) }, durationMs / 1000);
      const fields = {
        method,
        route,
        status,
        ms: Math.round(durationMs * 100) / 100,
        requestId: requestIdOf(response),
        // Also of who was refused.
        callerId: request.context?.caller.id,
        traceId: traceIdOf(request.context?.traceparent),
        ...(aborted && { aborted }),
      };
      if (isProbe(route)) logger.debug('request', fields);
      else logger.log('request', fields);
    });
    next();
  };
}

/** The template of the route that took a request. */
export function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : NO_ROUTE;
}

/** The id that the answer echoes: the one place where it is known for every request, however early it was refused. */
function requestIdOf(response: Response): string | undefined {
  const id = response.getHeader('x-request-id');
  return typeof id === 'string' ? id : undefined;
}
