import { Injectable, Logger } from '@nestjs/common';
import { Clock, DomainError, type RequestContext } from '#platform/common';
import { LRUCache } from 'lru-cache';
import { OrganizationScopeQuery } from '../organization-scope.query.js';
import { LogoDownload, type Image } from './logo-download.js';

const KEPT_MS = 3_600_000;
const FAILURE_KEPT_MS = 5 * 60_000;
const KEPT_MAX_BYTES = 32 * 1024 * 1024;
/** What an entry costs beside its picture, roughly: also bounds the number of failures that are remembered. */
const ENTRY_BYTES = 4_096;

/** None was set, it can't be had, or it is no picture that is shown: 404. */
export class LogoNotFound extends DomainError {
  readonly code = 'logo_not_found';
  readonly kind = 'not_found';
  constructor() {
    super('There is no logo, or it could not be loaded. A logo must be a PNG, JPEG, GIF or WebP image of at most 512 KB.');
  }
}

/** A picture, or that there was none. */
interface Outcome {
  readonly picture: Image | null;
}

/** Logos of organizations, passed on by the service itself: pages load nothing from elsewhere, and no other host sees who signs in. */
@Injectable()
export class LogosService {
  private readonly logger = new Logger('Logos');
  /** By address, so that another logo shows at once; several who ask at a time wait for one download. */
  private readonly cache: LRUCache<string, Outcome>;

  constructor(
    private readonly scopes: OrganizationScopeQuery,
    private readonly logoDownload: LogoDownload,
    clock: Clock,
  ) {
    this.cache = new LRUCache<string, Outcome>({
      maxSize: KEPT_MAX_BYTES,
      sizeCalculation: ({ picture }) => ENTRY_BYTES + (picture?.bytes.length ?? 0),
      ttl: KEPT_MS,
      ignoreFetchAbort: true,
      fetchMethod: async (address, _stale, { options }) => {
        const picture = await this.download(address);
        if (!picture) options.ttl = FAILURE_KEPT_MS;
        return { picture };
      },
      perf: { now: () => clock.now().getTime() },
    });
  }

  /** The logo in force at an organization (slug or id). @throws LogoNotFound (404) also for an unknown organization */
  async get(ctx: RequestContext, handle: string): Promise<Image> {
    const organization = await this.scopes.findScope(ctx, handle);
    const address = organization && (await this.scopes.getBranding(ctx, organization)).logo;
    const picture = address ? (await this.cache.forceFetch(address)).picture : null;
    if (!picture) throw new LogoNotFound();
    return picture;
  }

  private async download(address: string): Promise<Image | null> {
    try {
      return await this.logoDownload.fetch(address);
    } catch (error) {
      this.logger.debug({ err: error }, 'A logo could not be loaded.');
      return null;
    }
  }
}
