import { Injectable, Logger } from '@nestjs/common';
import { Clock, DomainError, type RequestContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { OrganizationScopeQuery } from '../organization-scope.query.js';
import { LogoDownload, type Image } from './logo-download.js';

const CACHE_MS = 3_600_000;
const FAILURE_CACHE_MS = 5 * 60_000;
const CACHE_MAX_BYTES = 32 * 1024 * 1024;
/** Approximate size of a cache entry without the image. Limits the number of cached failures, which have no image. */
const ENTRY_BYTES = 4_096;

/** There is no logo, or the logo can't be downloaded or is not a supported image. */
export class LogoNotFound extends DomainError {
  readonly code = 'logo_not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no image, or it could not be loaded. It must be a PNG, JPEG, GIF or WebP image of at most 512 KB.');
  }
}

interface Download {
  /** Null if the download failed. */
  readonly image: Image | null;
}

/**
 * Downloads and caches the logos of organizations and applications and the pictures of users. Browsers load images only from this service,
 * so that the hosts of the images receive no data about users.
 */
@Injectable()
export class LogosService {
  private readonly logger = new Logger('Logos');
  /** The downloads, by URL. Concurrent requests for a logo share one download. */
  private readonly cache: LRUCache<string, Download>;

  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly logoDownload: LogoDownload,
    clock: Clock,
  ) {
    this.cache = new LRUCache<string, Download>({
      maxSize: CACHE_MAX_BYTES,
      sizeCalculation: ({ image }) => ENTRY_BYTES + (image?.bytes.length ?? 0),
      ttl: CACHE_MS,
      ignoreFetchAbort: true,
      fetchMethod: async (url, _stale, { options }) => {
        const image = await this.download(url);
        if (!image) options.ttl = FAILURE_CACHE_MS;
        return { image };
      },
      perf: { now: () => clock.now().getTime() },
    });
  }

  /** Returns the effective logo of the organization with this slug or id. @throws LogoNotFound (404), also for an unknown organization */
  async get(ctx: RequestContext, handle: string): Promise<Image> {
    const organization = await this.scopes.findScope(ctx, handle);
    const url = organization && (await this.scopes.getBranding(ctx, organization)).logo;
    return this.load(url || null);
  }

  /** Returns the image at a URL that an administrator set. @throws LogoNotFound (404), also for null */
  async load(url: string | null): Promise<Image> {
    const image = url === null ? null : (await this.cache.forceFetch(url)).image;
    if (!image) throw new LogoNotFound();
    return image;
  }

  private async download(url: string): Promise<Image | null> {
    try {
      return await this.logoDownload.fetch(url);
    } catch (error) {
      this.logger.debug({ err: error }, 'A logo could not be loaded.');
      return null;
    }
  }
}
