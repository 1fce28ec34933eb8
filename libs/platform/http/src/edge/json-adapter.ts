import { createServer, type Server } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import { MethodNotAllowedException, StreamableFile } from '@nestjs/common';
import type { Application, NextFunction, Request, Response } from 'express';
import { etagOfAnswer } from '../etag.js';

/** What Express keeps of a route. */
interface Layer {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  match(path: string): boolean;
}

/**
 * How long a caller may take to send its headers, and the whole request, in milliseconds: whoever sends byte by byte holds a connection no
 * longer. The largest body is an import of 32 MB. Slow ones are looked for at this interval; Node answers them 408.
 */
const SLOW_REQUESTS = { headersTimeout: 10_000, requestTimeout: 120_000, connectionsCheckingInterval: 2_000 };

/**
 * Connections that may wait to be taken while the process is busy; Linux allows no more by default (`net.core.somaxconn`). Of those beyond,
 * which with Node's 511 a busy second is enough for, the kernel first keeps silent and in the end resets some that have sent their request.
 */
const WAITING_CONNECTIONS = 4_096;

/** Sends answers of JSON without what Express does for every kind of answer, and gives each the ETag of its resource's version. */
export class JsonAdapter extends ExpressAdapter {
  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (typeof body !== 'object' || body === null || body instanceof StreamableFile || body instanceof Error)
      return super.reply(response, body, statusCode);
    const etag = etagOfAnswer(body);
    if (etag !== undefined) response.setHeader('ETag', etag);
    // Express knows whether the caller has this answer already (304), and what a HEAD is to get.
    if (response.req.headers['if-none-match'] !== undefined || response.req.method === 'HEAD')
      return super.reply(response, body, statusCode);
    if (statusCode !== undefined) response.statusCode = statusCode;
    const text = JSON.stringify(body);
    response.setHeader('Content-Type', 'application/json; charset=utf-8');
    response.setHeader('Content-Length', Buffer.byteLength(text));
    return response.end(text);
  }

  /** Nest's own server would give a minute for headers, and five for the rest. */
  override initHttpServer(): void {
    this.httpServer = createServer(SLOW_REQUESTS, this.getInstance());
  }

  /** Nest passes no backlog on. */
  override listen(port: string | number, ...more: [callback?: () => void] | [host: string, callback?: () => void]): Server {
    const [host, callback] = typeof more[0] === 'string' ? [more[0], more[1]] : [undefined, more[0]];
    return this.httpServer.listen(
      { port: Number(port), backlog: WAITING_CONNECTIONS, ...(host === undefined ? {} : { host }) },
      callback,
    );
  }

  /** A path that exists, asked with a method that it lacks, is told so: 405 with `Allow` (RFC 9110, 15.5.6). */
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
  const methods = new Set(layers.flatMap(({ route }) => Object.keys(route!.methods)).map((method) => method.toUpperCase()));
  // Express answers it wherever it answers GET.
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].toSorted();
}
