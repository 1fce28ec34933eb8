import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createGuardedConnector, createHostLookup, NetworkPolicy } from '#platform/outbound';
import { Agent, request } from 'undici';
import { IMAGE_TYPES, type ImageType, imageTypeOf } from './image-type.js';

const TIMEOUT_MS = 5_000;
const CONNECTIONS_PER_ORIGIN_MAX = 2;
const KEEP_ALIVE_MS = 1_000;
const HEADERS_MAX_BYTES = 16 * 1024;
const BODY_MAX_BYTES = 512 * 1024;

export interface Image {
  readonly type: ImageType;
  readonly bytes: Buffer;
}

/**
 * Fetches pictures from where administrators of organizations say. Every connection is judged by its address; no redirects are followed,
 * no proxy is used, and answers are bounded in time and size.
 */
@Injectable()
export class LogoDownload implements OnApplicationShutdown {
  private readonly agent: Agent;

  constructor(policy: NetworkPolicy) {
    this.agent = new Agent({
      connect: createGuardedConnector({ policy, lookup: createHostLookup(), connectTimeoutMs: TIMEOUT_MS }),
      connections: CONNECTIONS_PER_ORIGIN_MAX,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: HEADERS_MAX_BYTES,
      maxResponseSize: BODY_MAX_BYTES,
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.agent.destroy();
  }

  /** @throws Error saying why there is no picture */
  async fetch(address: string): Promise<Image> {
    const { statusCode, body } = await request(address, {
      dispatcher: this.agent,
      headers: { accept: IMAGE_TYPES.join(', '), 'accept-encoding': 'identity' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (statusCode !== 200) {
      // What comes after the headers is of no interest, nor how it ends.
      body.on('error', () => undefined).destroy();
      throw new Error(`The response has status ${statusCode}.`);
    }
    const bytes = Buffer.from(await body.arrayBuffer());
    const type = imageTypeOf(bytes);
    if (!type) throw new Error(`The response is none of ${IMAGE_TYPES.join(', ')}.`);
    return { type, bytes };
  }
}
