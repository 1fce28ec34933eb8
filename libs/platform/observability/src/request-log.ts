import type { RequestContext } from '#platform/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AppLogger } from './app-logger.js';
import type { MetricsService } from './metrics.service.js';
import { traceIdOf } from './tracing/tracing.js';

/** The route of all requests without a handler, because callers can send any path. */
const NO_ROUTE = 'unmatched';

/** Paths of probes, which are called every few seconds. They are logged only at the level `debug` and not traced. */
const PROBES = /^\/(health\/|metrics$)/;

/** Returns whether a path or route is that of a probe. */
export const isProbe = (path: string): boolean => PROBES.test(path);

/**
 * Express middleware that logs one line per request and counts it. Must be installed before everything else, so that rejected requests are
 * logged too. Requests that are rejected because of overload are not logged, because this would add to the load; they have a counter.
 *
 * A line contains the method, the template of the route, the status, the time in milliseconds, and the IDs of the request and of the
 * caller. It contains no path, query or IP address, which can contain personal data.
 */
export function requestLog(logger: AppLogger, metrics: MetricsService): RequestHandler {
  return (request: Request & { context?: RequestContext }, response: Response, next: NextFunction) => {
    const startedNs = process.hrtime.bigint();
    response.once('close', () => {
      const durationMs = Number(process.hrtime.bigint() - startedNs) / 1e6;
      const { method } = request;
      const route = routeOf(request);
      // The caller closed the connection before the response was complete.
      const aborted = !response.writableFinished;
      const status = response.statusCode;

      metrics.httpRequests.observe({ method, route, status: aborted ? 'aborted' : String(status) }, durationMs / 1000);
      const fields = {
        method,
        route,
        status,
        ms: Math.round(durationMs * 100) / 100,
        requestId: requestIdOf(response),
        // Also set if the request was rejected.
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

/** Returns the template of the route that handled a request. */
export function routeOf(request: Request): string {
  const route = request.route as { path?: unknown } | undefined;
  return typeof route?.path === 'string' ? route.path : NO_ROUTE;
}

/** Returns the ID of a request. The response header is set for every request, even if it was rejected early. */
function requestIdOf(response: Response): string | undefined {
  const id = response.getHeader('x-request-id');
  return typeof id === 'string' ? id : undefined;
}
