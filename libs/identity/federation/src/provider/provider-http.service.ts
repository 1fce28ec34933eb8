import { isUtf8 } from 'node:buffer';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createGuardedConnector, createHostLookup, isStaleConnection, NetworkPolicy } from '#platform/outbound';
import type { CustomFetch } from 'openid-client';
import { Agent, request } from 'undici';

const CONNECT_TIMEOUT_MS = 5_000;
const RESPONSE_TIMEOUT_MS = 5_000;
const CONNECTIONS_PER_ORIGIN_MAX = 8;
const KEEP_ALIVE_MS = 4_000;
const HEADERS_MAX_BYTES = 16 * 1024;
const BODY_MAX_BYTES = 512 * 1024;
const BODILESS = new Set([204, 205, 304]);

/** The provider sent no valid HTTP response. */
export class ProviderUnreachable extends Error {
  constructor(cause: unknown) {
    super('The identity provider did not respond.', { cause });
  }
}

/**
 * Sends HTTP requests to identity providers. The network policy checks the address of each connection, because administrators of tenants
 * choose the URLs. Follows no redirects, uses no proxy, and limits the time and size of responses. Apart from its only
 * caller, `ProviderClientsService`, so that what checks the addresses is read on its own.
 */
@Injectable()
export class ProviderHttpService implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(policy: NetworkPolicy) {
    this.agent = new Agent({
      connect: createGuardedConnector({ policy, lookup: createHostLookup(), connectTimeoutMs: CONNECT_TIMEOUT_MS }),
      connections: CONNECTIONS_PER_ORIGIN_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      maxResponseSize: BODY_MAX_BYTES,
      headersTimeout: RESPONSE_TIMEOUT_MS,
      bodyTimeout: RESPONSE_TIMEOUT_MS,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  /** Works like `fetch`. @throws ProviderUnreachable, Error if the response is not in UTF-8 */
  readonly fetch: CustomFetch = async (url, options) => {
    const { bytes, ...init } = await this.responseTo(url, options);
    const response = new Response(BODILESS.has(init.status) ? null : bytes, init);
    // Otherwise the library would replace the bytes, and names would lose letters.
    if (response.ok && !isUtf8(bytes)) throw new Error('The response is not in UTF-8.');
    return response;
  };

  private async responseTo(...[url, { method, headers, body, signal }]: Parameters<CustomFetch>) {
    const send = () =>
      request(url, {
        dispatcher: this.agent,
        method,
        headers: { ...headers, 'accept-encoding': 'identity' },
        body: body instanceof URLSearchParams ? body.toString() : (body as string | undefined),
        signal,
      });
    try {
      const response = await send().catch((error: unknown) => {
        if (isStaleConnection(error)) return send();
        throw error;
      });
      const bytes = await response.body.arrayBuffer();
      const responseHeaders = Object.entries(response.headers).map(([name, value]): [string, string] => [
        name,
        [value ?? ''].flat().join(', '),
      ]);
      return { status: response.statusCode, headers: responseHeaders, bytes };
    } catch (error) {
      throw new ProviderUnreachable(error);
    }
  }
}
