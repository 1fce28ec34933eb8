import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { MethodNotAllowedException, StreamableFile } from '@nestjs/common';
import type { Application, NextFunction, Request, Response } from 'express';
import { etagOfResponse } from '../etag.js';
import { COMPRESSED_FROM_BYTES, compressResponse } from './compression.js';

interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/** Time limit for a complete request, so that slow clients don't occupy connections. The largest body is an import of 32 MB. */
const REQUEST_TIMEOUT_MS = 120_000;
/**
 * The time limit for the headers is longer than the keep-alive timeout by this. Node applies this limit also to a connection without any
 * request, which a load balancer can open in advance.
 */
const HEADERS_MARGIN_MS = 5_000;
/** Node checks the limits in this interval, and responds with 408 if a limit is exceeded. */
const CHECK_INTERVAL_MS = 2_000;

/**
 * Maximum number of connections that wait until a busy process accepts them. This is Linux's default maximum (`net.core.somaxconn`). Node's
 * default of 511 can be exceeded within a second. The kernel then resets connections.
 */
const LISTEN_BACKLOG = 4_096;

/** Sends JSON responses directly, which is faster than Express. Sets the ETag from the resource's version. */
export class JsonAdapter extends ExpressAdapter {
  /** @param keepAliveTimeoutMs time after which an idle connection is closed */
  constructor(private readonly keepAliveTimeoutMs: number) {
    super();
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile || body instanceof Error)
      return super.reply(response, body, statusCode);
    const etag = etagOfResponse(body);
    if (etag !== undefined) response.setHeader('ETag', etag);
    // Express handles If-None-Match (304) and HEAD.
    if (response.req.headers['if-none-match'] !== undefined || response.req.method === 'HEAD')
      return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    const text = JSON.stringify(body);
    if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json; charset=utf-8');
    const length = Buffer.byteLength(text);
    response.setHeader('Content-Length', length);
    if (length >= COMPRESSED_FROM_BYTES) compressResponse(response);
    return response.end(text);
  }

  /** Sets the time limits. Node's default closes idle connections after five seconds, before the idle timeout of load balancers. */
  override initHttpServer(): void {
    const headersTimeout = this.keepAliveTimeoutMs + HEADERS_MARGIN_MS;
    const limits = {
      keepAliveTimeout: this.keepAliveTimeoutMs,
      headersTimeout,
      requestTimeout: Math.max(REQUEST_TIMEOUT_MS, headersTimeout),
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    };
    this.httpServer = createServer(limits, this.getInstance());
  }

  /** Sets the backlog, because Nest has no option for the backlog. */
  override listen(port: string | number, ...parameters: [callback?: () => void] | [host: string, callback?: () => void]): Server {
    const [host, callback] = typeof parameters[0] === 'string' ? [parameters[0], parameters[1]] : [undefined, parameters[0]];
    return this.httpServer.listen(
      { port: Number(port), backlog: LISTEN_BACKLOG, ...(host === undefined ? {} : { host }) },
      callback,
    );
  }

  /** Responds with 405 and `Allow` if the path exists but does not support the method (RFC 9110, section 15.5.6). */
  override setNotFoundHandler(notFound: (...parameters: unknown[]) => unknown): void {
    super.setNotFoundHandler((request: Request, response: Response, next: NextFunction) => {
      const methods = methodsAt(request.path, this.getInstance<Application>());
      if (methods.length === 0) return notFound(request, response, next);
      response.setHeader('Allow', methods.join(', '));
      next(new MethodNotAllowedException());
    });
  }
}

function methodsAt(path: string, application: Application): string[] {
  const layers = (application.router.stack as unknown as Layer[]).filter(
    (layer) => layer.route !== undefined && layer.match(path),
  );
  const methods = new Set(layers.flatMap(({ route }) => Object.keys(route?.methods ?? {})).map((method) => method.toUpperCase()));
  // Express supports HEAD for every GET route.
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted();
}
