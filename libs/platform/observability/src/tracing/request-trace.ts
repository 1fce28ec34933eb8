import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { RequestContext } from '#platform/common';
import { isProbe, routeOf } from '../request-log.js';
import type { SpanRecorder } from './span-recorder.js';

/**
 * Express middleware that records a span for each request. Sets the span in the context, from which events copy the span. A span contains
 * the route template and no path, query or IP address.
 */
export function requestTrace(recorder: SpanRecorder): RequestHandler {
  return (request: Request & { context?: RequestContext }, response: Response, next: NextFunction) => {
    const { context, method, headers } = request;
    if (!context || isProbe(request.path)) return next();
    const span = recorder.start('server', method, {
      parent: typeof headers.traceparent === 'string' ? headers.traceparent : undefined,
      attributes: { 'http.request.method': method, 'request.id': context.requestId },
    });
    request.context = { ...context, traceparent: span.traceparent };
    response.once('close', () => {
      const route = routeOf(request);
      const status = response.statusCode;
      const aborted = !response.writableFinished;
      span.end({
        name: `${method} ${route}`,
        attributes: {
          'http.route': route,
          'http.response.status_code': status,
          ...(aborted ? { 'error.type': 'aborted' } : {}),
        },
        failed: status >= 500,
      });
    });
    next();
  };
}
