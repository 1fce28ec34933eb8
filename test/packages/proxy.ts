import { once } from 'node:events';
import { createServer, type IncomingMessage, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a proxy does with a request: hands it on, answers itself, hands it on and loses the answer, or says nothing. */
export type Behaviour = 'pass' | 'lose-answer' | 'silence' | { status: number; headers?: Record<string, string>; body?: string };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
}

export interface Proxy {
  url: string;
  seen: SeenRequest[];
  /** What to do with the requests to come, one after another; then all pass. */
  plan(...behaviours: Behaviour[]): void;
  /** Cuts all connections that are open now. */
  cut(): void;
  stop(): Promise<void>;
}

/** Stands between a client and the real service, and fails as networks do. */
export async function startProxy(target: string): Promise<Proxy> {
  const seen: SeenRequest[] = [];
  let planned: Behaviour[] = [];
  const server = createServer((request, response) => {
    seen.push({ method: request.method!, path: request.url!, headers: request.headers });
    const behaviour = planned.shift() ?? 'pass';
    if (behaviour === 'silence') return;
    if (typeof behaviour === 'object') response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body ?? '');
    else handOn(target, request, response, behaviour === 'lose-answer');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    plan: (...behaviours) => {
      planned = behaviours;
      seen.length = 0;
    },
    cut: () => server.closeAllConnections(),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function handOn(target: string, request: IncomingMessage, response: ServerResponse, isAnswerLost: boolean): void {
  const { method, headers } = request;
  const passed = httpRequest(new URL(request.url!, target), { method, headers }, (answer) => {
    if (isAnswerLost) {
      // The service has done its work; nobody hears of it.
      answer.resume().on('end', () => response.destroy());
      return;
    }
    response.writeHead(answer.statusCode!, answer.headers);
    answer.on('error', () => response.destroy()).pipe(response);
  });
  passed.on('error', () => response.destroy());
  response.on('close', () => passed.destroy());
  request.pipe(passed);
}
