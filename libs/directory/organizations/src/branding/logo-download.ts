import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createGuardedConnector, createHostLookup, NetworkPolicy } from '#platform/outbound';
import { Agent, request } from 'undici';
import { IMAGE_TYPES, type ImageType, imageTypeOf } from './image-type.js';

const TIMEOUT_MS = 5_000;
const CONNECTIONS_PER_ORIGIN_MAX = 2;
const HEADERS_MAX_BYTES = 16 * 1024;
const BODY_MAX_BYTES = 512 * 1024;

export interface Image {
  readonly type: ImageType;
  readonly bytes: Buffer;
}

/**
 * Downloads images from URLs that administrators of organizations set. Checks the address of every connection, follows no redirects, uses
 * no proxy, and limits the time and the size of responses.
 */
@Injectable()
export class LogoDownload implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(policy: NetworkPolicy) {
    this.agent = new Agent({
      connect: createGuardedConnector({ policy, lookup: createHostLookup(), connectTimeoutMs: TIMEOUT_MS }),
      connections: CONNECTIONS_PER_ORIGIN_MAX,
      // A new connection for each request, because the server can close an idle connection at the same moment.
      pipelining: 0,
      maxHeaderSize: HEADERS_MAX_BYTES,
      maxResponseSize: BODY_MAX_BYTES,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** @throws Error with the reason if there is no image */
  async fetch(url: string): Promise<Image> {
    const { statusCode, body } = await request(url, {
      dispatcher: this.agent,
      headers: { accept: IMAGE_TYPES.join(', '), 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (statusCode !== 200) {
      // Ignores errors of the discarded body.
      body.on('error', () => undefined).destroy();
      throw new Error(`The response has status ${statusCode}.`);
    }
    const bytes = Buffer.from(await body.arrayBuffer());
    const type = imageTypeOf(bytes);
    if (!type) throw new Error(`The response is none of ${IMAGE_TYPES.join(', ')}.`);
    return { type, bytes };
  }
}
