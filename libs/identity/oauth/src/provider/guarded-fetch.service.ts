import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createGuardedConnector, createHostLookup, NetworkPolicy } from '#platform/outbound';
import { Agent, fetch, type RequestInit, type Response } from 'undici';

const TIMEOUT_MS = 5_000;
const BODY_MAX_BYTES = 256 * 1024;

/** Reads the keys of clients (`jwksUri`). The network policy checks each connection, because tenants choose the addresses. */
@Injectable()
export class GuardedFetchService implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(policy: NetworkPolicy) {
    this.agent = new Agent({
      connect: createGuardedConnector({ policy, lookup: createHostLookup(), connectTimeoutMs: TIMEOUT_MS }),
      maxResponseSize: BODY_MAX_BYTES,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.close();
  }

  /** Works like `fetch`, but follows no redirects. */
  readonly fetch = (url: string | URL, options: RequestInit): Promise<Response> =>
    fetch(url, { ...options, dispatcher: this.agent, redirect: 'error' });
}
