import type { RequestContext } from '#platform/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { AppLogger } from './app-logger.js';
import type { MetricsService } from './metrics.service.js';
import { traceIdOf } from './tracing/tracing.js';

/** The route of all requests without a handler. Their paths are not used, because callers can send any path. */
const NO_ROUTE = 'unmatched';

/** Paths of probes, which load balancers request every few seconds. Probes are not traced and are logged only at the level `debug`. */
const PROBES = /^\/(health\/|metrics$)/;

export const isProbe = (path: string): boolean => PROBES.test(path);

/**
 * Express middleware that logs one line per request and counts the request. Must be installed before all other middleware, so that it logs
 * rejected requests. Requests that are rejected because of overload have only a counter, because logging would add to the load.
 *
 * A line contains the method, the route template, the status, the time in milliseconds, and the IDs of the request and the caller. A line
 * contains no path, query or IP address, because these can contain personal data.
 */
export function requestLog(logger: AppLogger, metrics: MetricsService): RequestHandler {
  return (request: Request & { context?: RequestContext }, response: Response, next: NextFunction) => {
    const startedNs = process.hrtime.bigint();
    response.once('close', () => {
      const durationMs = Number(process.hrtime.bigint() - startedNs) / 1e6;
      const { method } = request;
      const route = routeOf(request);
      // The caller closed the connection before the response was complete.
      const isAborted = !response.writableFinished;
      const status = response.statusCode;

      metrics.httpRequests.observe({ method, route, status: isAborted ? 'aborted' : String(status) }, durationMs / 1000);
      const fields = {
        method,
        route,
        status,
        ms: Math.round(durationMs * 100) / 100,
        requestId: requestIdOf(response),
        // Set for every authenticated caller, even if the request was rejected.
        callerId: request.context?.caller.id ?? request.context?.forwardedBy?.id,
        traceId: traceIdOf(request.context?.traceparent),
        ...(isAborted && { aborted: true }),
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

/** Returns the ID of a request from the response header, which is set for every request, even if the request is rejected early. */
export function requestIdOf(response: Response): string | undefined {
  const id = response.getHeader('x-request-id');
  return typeof id === 'string' ? id : undefined;
}
