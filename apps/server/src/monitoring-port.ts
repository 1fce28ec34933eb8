import { createServer, type RequestListener, type Server } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import type { AppConfig } from '#platform/config';
import type { NextFunction, Request, RequestHandler, Response } from 'express';

/** Paths of probes and metrics, as Express matches them: in any case, with or without a slash at the end. */
const MONITORING_PATHS = /^\/(?:health(?:\/|$)|metrics\/?$)/i;

/** The requests that arrived at the monitoring port. */
const monitoringRequests = new WeakSet<object>();

/** Creates the server of `MONITORING_PORT`. It passes requests to the application, which serves only probes and metrics to them. */
export function createMonitoringServer(application: RequestListener): Server {
  return createServer((request, response) => {
    monitoringRequests.add(request);
    application(request, response);
  });
}

/**
 * Express middleware that returns 404 for paths that the port of the request does not serve. With `MONITORING_PORT`, probes and metrics are
 * only at this port, so that a proxy can pass on every path of the other port. A worker has the modules of the API, but serves only probes
 * and metrics.
 */
export function pathsOfPort({ role, metrics, monitoringPort }: AppConfig): RequestHandler {
  return (request: Request, _response: Response, next: NextFunction): void => {
    const isServed = MONITORING_PATHS.test(request.path)
      ? (monitoringPort === undefined || monitoringRequests.has(request)) && (metrics || !/^\/metrics/i.test(request.path))
      : role !== 'worker' && !monitoringRequests.has(request);
    next(isServed ? undefined : new NotFoundException());
  };
}
