import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The behavior for a request: forward the request, forward the request and lose the response, send no response, or send a custom response. */
export type Behavior = 'pass' | 'lose-response' | 'silence' | { status: number; headers?: Record<string, string>; body?: string };

export type Proxy = Awaited<ReturnType<typeof startProxy>>;

/** Starts a proxy to the service. The proxy can simulate network failures. */
export async function startProxy(target: string) {
  const seen: IncomingMessage[] = [];
  let planned: Behavior[] = [];
  const server = createServer((request, response) => {
    seen.push(request);
    const behavior = planned.shift() ?? 'pass';
    if (behavior === 'silence') return;
    if (typeof behavior === 'object') response.writeHead(behavior.status, behavior.headers).end(behavior.body ?? '');
    else forward(target, request, response, behavior === 'lose-response');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    /** Sets the behavior of each of the next requests. The proxy forwards all later requests. */
    plan: (...behaviors: Behavior[]): void => {
      planned = behaviors;
      seen.length = 0;
    },
    /** Closes all open connections. */
    cut: () => server.closeAllConnections(),
    stop: async (): Promise<void> => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function forward(target: string, request: IncomingMessage, response: ServerResponse, isResponseLost: boolean): void {
  const { method, headers } = request;
  const passed = httpRequest(new URL(request.url!, target), { method, headers }, (targetResponse) => {
    if (isResponseLost) {
      // The service has processed the request, but the client gets no response.
      targetResponse.resume().on('end', () => response.destroy());
      return;
    }
    response.writeHead(targetResponse.statusCode!, targetResponse.headers);
    targetResponse.on('error', () => response.destroy()).pipe(response);
  });
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
